#include "controllers/virtual_machine/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::virtual_machine {
namespace {

using namespace std::chrono_literals;

// A machine that runs as it should; each test bends one thing.
Observed healthy() {
  Observed observed;
  observed.strategy = observed.strategyBefore = "Always";
  observed.instance = Observed::Instance{.phase = kinds::InstancePhase::Running, .uid = "one"};
  return observed;
}

Observed running(const std::string& strategy) {
  Observed observed = healthy();
  observed.strategy = observed.strategyBefore = strategy;
  return observed;
}

Observed stopped(const std::string& strategy) {
  Observed observed = running(strategy);
  observed.instance.reset();
  return observed;
}

Observed ended(const std::string& strategy, kinds::InstancePhase phase) {
  Observed observed = running(strategy);
  observed.instance->phase = phase;
  observed.instance->ran = 2min;
  return observed;
}

kinds::StateChangeRequest toStart() { return {.action = "Start", .data = {}, .uid = ""}; }
kinds::StateChangeRequest toStop(const std::string& uid) { return {.action = "Stop", .data = {}, .uid = uid}; }

using Requests = std::vector<kinds::StateChangeRequest>;

TEST(DecideVirtualMachine, RestsWhileTheInstanceRuns) { EXPECT_EQ(decide(healthy()), (Step{"Running", Duty::Rest})); }

TEST(DecideVirtualMachine, TellsARunningInstanceThatStandsStillOnOneNodeWhereItMayGo) {
  auto observed = healthy();
  observed.instance->mayGoElsewhere = true;
  EXPECT_EQ(decide(observed), (Step{"Running", Duty::PassOnPlacement}));
  observed.instance->moving = true;
  EXPECT_EQ(decide(observed), (Step{"Migrating", Duty::Rest}));
}

TEST(DecideVirtualMachine, CreatesAnInstanceThatIsMissing) {
  auto observed = healthy();
  observed.instance.reset();
  EXPECT_EQ(decide(observed), (Step{"Starting", Duty::CreateInstance}));
}

TEST(DecideVirtualMachine, StopsAnInstanceThatIsNotWanted) {
  auto observed = healthy();
  observed.strategy = "Halted";
  EXPECT_EQ(decide(observed), (Step{"Stopping", Duty::DeleteInstance}));
}

TEST(DecideVirtualMachine, IsStoppedOnceTheInstanceIsGone) {
  EXPECT_EQ(decide(stopped("Halted")), (Step{"Stopped", Duty::Rest}));
}

TEST(DecideVirtualMachine, ReplacesAnInstanceThatFailedAfterAWhile) {
  auto observed = healthy();
  observed.instance->phase = kinds::InstancePhase::Failed;
  observed.instance->ran = 2min;
  observed.failure =
      kinds::StartFailure{.consecutiveFailCount = 3, .lastFailedVMIUID = "before", .retryAfterTimestamp = {}};
  EXPECT_EQ(decide(observed), (Step{"Starting", Duty::DeleteInstance}));
  EXPECT_EQ(failureAfter(observed), std::nullopt);
}

TEST(DecideVirtualMachine, WaitsLongerAfterEveryInstanceThatFailsAtOnce) {
  Observed observed = healthy();
  observed.instance->phase = kinds::InstancePhase::Failed;
  for (const auto& [uid, wait] : std::vector<std::pair<std::string, Duration>>{{"a", 1s}, {"b", 2s}, {"c", 4s}}) {
    observed.instance->uid = uid;
    EXPECT_EQ(decide(observed), (Step{"CrashLoopBackOff", Duty::DeleteInstance}));
    observed.failure = failureAfter(observed);
    ASSERT_TRUE(observed.failure);
    EXPECT_EQ(observed.failure->retryAfterTimestamp, observed.now + wait);
    EXPECT_EQ(failureAfter(observed), observed.failure) << "the same instance is not counted twice";
  }
  observed.failure->consecutiveFailCount = 1'000'000;
  observed.instance->uid = "d";
  EXPECT_EQ(failureAfter(observed)->retryAfterTimestamp, observed.now + 5min);
}

TEST(DecideVirtualMachine, StartsAgainWhenTheWaitIsOver) {
  auto observed = healthy();
  observed.instance.reset();
  observed.failure = kinds::StartFailure{1, "a", observed.now + 10s};
  EXPECT_EQ(decide(observed), (Step{"CrashLoopBackOff", Duty::Rest}));
  observed.now += 10s;
  EXPECT_EQ(decide(observed), (Step{"Starting", Duty::CreateInstance}));
}

TEST(DecideVirtualMachine, ForgetsFailuresWhenItIsNoLongerWanted) {
  auto observed = healthy();
  observed.instance.reset();
  observed.failure = kinds::StartFailure{1, "a", observed.now + 10s};
  observed.strategy = "Halted";
  EXPECT_EQ(decide(observed), (Step{"Stopped", Duty::Rest}));
  EXPECT_EQ(failureAfter(observed), std::nullopt);
}

TEST(DecideVirtualMachine, WaitsForAnInstanceThatIsLeaving) {
  auto observed = healthy();
  observed.instance->beingDeleted = true;
  EXPECT_EQ(decide(observed), (Step{"Stopping", Duty::Rest}));
}

TEST(DecideVirtualMachine, SaysThatAMovingInstanceMigrates) {
  auto observed = healthy();
  observed.instance->moving = true;
  EXPECT_EQ(decide(observed), (Step{"Migrating", Duty::Rest}));
}

TEST(DecideVirtualMachine, SaysThatVolumesAreBeingFilled) {
  auto observed = healthy();
  observed.instance->phase = kinds::InstancePhase::Scheduled;
  observed.instance->volumesUnfilled = true;
  EXPECT_EQ(decide(observed), (Step{"Provisioning", Duty::Rest}));
}

TEST(DecideVirtualMachine, StartsAndStopsAManualMachineOnRequestOnly) {
  auto observed = stopped("Manual");
  EXPECT_EQ(decide(observed), (Step{"Stopped", Duty::Rest}));
  observed.requests = {toStart()};
  EXPECT_EQ(decide(observed), (Step{"Starting", Duty::CreateInstance}));
  observed = running("Manual");
  EXPECT_EQ(decide(observed), (Step{"Running", Duty::Rest}));
  observed.requests = {toStop("another")};
  EXPECT_EQ(decide(observed).duty, Duty::Rest) << "a stop is meant for one instance";
  observed.requests = {toStop("one")};
  EXPECT_EQ(decide(observed), (Step{"Stopping", Duty::DeleteInstance}));
}

TEST(DecideVirtualMachine, LeavesWhatHasEndedByItselfWhereNobodyAskedForMore) {
  for (const char* strategy : {"Manual", "Once"})
    for (const auto phase : {kinds::InstancePhase::Succeeded, kinds::InstancePhase::Failed})
      EXPECT_EQ(decide(ended(strategy, phase)), (Step{"Stopped", Duty::Rest}));
}

TEST(DecideVirtualMachine, StartsOnceAndNeverAgain) {
  auto observed = stopped("Once");
  observed.strategyBefore = "";
  EXPECT_EQ(decide(observed), (Step{"Starting", Duty::CreateInstance}));
  EXPECT_EQ(strategyAfter(observed), "") << "it is on record when the instance is there";
  EXPECT_EQ(strategyAfter(running("Once")), "Once");
  EXPECT_EQ(decide(stopped("Once")), (Step{"Stopped", Duty::Rest}));
}

TEST(DecideVirtualMachine, RerunsAfterAFailureAndAsksForItBeforeTheFailedInstanceGoes) {
  auto observed = ended("RerunOnFailure", kinds::InstancePhase::Failed);
  EXPECT_EQ(decide(observed), (Step{"Starting", Duty::DeleteInstance}));
  EXPECT_EQ(requestsAfter(observed), (Requests{toStart()}));
  observed.requests = requestsAfter(observed);
  EXPECT_EQ(requestsAfter(observed), (Requests{toStart()})) << "once";
  observed.instance.reset();
  EXPECT_EQ(requestsAfter(observed), (Requests{toStart()}));
  EXPECT_EQ(decide(observed), (Step{"Starting", Duty::CreateInstance}));
}

TEST(DecideVirtualMachine, DoesNotRerunAfterASuccess) {
  auto observed = ended("RerunOnFailure", kinds::InstancePhase::Succeeded);
  EXPECT_EQ(decide(observed), (Step{"Stopping", Duty::DeleteInstance}));
  EXPECT_EQ(requestsAfter(observed), Requests{});
  EXPECT_EQ(decide(stopped("RerunOnFailure")), (Step{"Stopped", Duty::Rest}));
}

TEST(DecideVirtualMachine, DoesNotRerunWhatFailsWhileItIsBeingStopped) {
  auto observed = ended("RerunOnFailure", kinds::InstancePhase::Failed);
  observed.requests = {toStop("one")};
  EXPECT_EQ(requestsAfter(observed), (Requests{toStop("one")}));
}

TEST(DecideVirtualMachine, RestartsByTakingOneInstanceAwayAndMakingAnother) {
  auto observed = running("Always");
  observed.requests = {toStop("one"), toStart()};
  EXPECT_EQ(decide(observed), (Step{"Stopping", Duty::DeleteInstance}));
  EXPECT_EQ(requestsAfter(observed), observed.requests);
  observed.instance->beingDeleted = true;
  EXPECT_EQ(requestsAfter(observed), observed.requests);
  observed.instance.reset();
  EXPECT_EQ(requestsAfter(observed), (Requests{toStart()}));
  EXPECT_EQ(decide(observed).duty, Duty::CreateInstance);
  observed.requests = {toStart()};
  observed.instance = Observed::Instance{.phase = kinds::InstancePhase::Scheduling, .uid = "two"};
  EXPECT_EQ(requestsAfter(observed), Requests{});
}

TEST(DecideVirtualMachine, TurnsAHaltedMachineOnThatIsAskedToStartPaused) {
  auto observed = stopped("Halted");
  observed.requests = {toStart()};
  observed.requests[0].data["paused"] = "true";
  EXPECT_EQ(decide(observed), (Step{"Starting", Duty::TurnOn}));
  EXPECT_EQ(requestsAfter(observed), observed.requests);
  EXPECT_TRUE(startsPaused(observed.requests));
  EXPECT_FALSE(startsPaused({toStart()}));
}

TEST(DecideVirtualMachine, WaitsForItsDataVolumes) {
  auto observed = stopped("Always");
  observed.volumes = Observed::Volumes::Provisioning;
  EXPECT_EQ(decide(observed), (Step{"Provisioning", Duty::MakeDataVolumes}));
  observed.volumes = Observed::Volumes::DataVolumeFailed;
  EXPECT_EQ(decide(observed), (Step{"DataVolumeError", Duty::Rest}));
}

TEST(DecideVirtualMachine, SaysWhatAnInstanceWaitsFor) {
  auto observed = healthy();
  observed.instance->phase = kinds::InstancePhase::Scheduling;
  EXPECT_EQ(decide(observed).printableStatus, "Starting");
  observed.volumes = Observed::Volumes::Unbound;
  EXPECT_EQ(decide(observed).printableStatus, "WaitingForVolumeBinding");
  observed.instance->unschedulable = true;
  EXPECT_EQ(decide(observed).printableStatus, "ErrorUnschedulable");
  observed.volumes = Observed::Volumes::ClaimMissing;
  EXPECT_EQ(decide(observed).printableStatus, "ErrorPvcNotFound");
}

TEST(DecideVirtualMachine, SaysThatAPausedInstanceIsPaused) {
  auto observed = healthy();
  observed.instance->paused = true;
  EXPECT_EQ(decide(observed), (Step{"Paused", Duty::Rest}));
}

TEST(DecideVirtualMachine, LeavesTheInstanceOfADeletedMachineToTheGarbageCollector) {
  auto observed = healthy();
  observed.beingDeleted = true;
  EXPECT_EQ(decide(observed), (Step{"Terminating", Duty::Rest}));
}

TEST(DecideVirtualMachine, FollowsItsVolumesBeforeTheNextInstance) {
  auto observed = healthy();
  observed.instance->phase = kinds::InstancePhase::Failed;
  observed.instance->volumesMoving = true;
  EXPECT_EQ(decide(observed), (Step{"Stopping", Duty::Rest}));
}

TEST(DecideVirtualMachine, WaitsWhileItsVolumesAreCopied) {
  auto observed = stopped("Always");
  observed.volumes = Observed::Volumes::BeingCopied;
  EXPECT_EQ(decide(observed), (Step{"Provisioning", Duty::Rest}));
}

TEST(DecideVirtualMachine, MakesAnInstanceAnewThatCanNeverStart) {
  auto observed = healthy();
  observed.instance->leftBehind = true;
  EXPECT_EQ(decide(observed), (Step{"Running", Duty::Rest})) << "one that runs has its disk";
  observed.instance->phase = kinds::InstancePhase::Scheduled;
  EXPECT_EQ(decide(observed), (Step{"Starting", Duty::DeleteInstance}));
}

}  // namespace
}  // namespace godwit::controllers::virtual_machine
