#include "controllers/virtual_machine/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::virtual_machine {
namespace {

using namespace std::chrono_literals;

// A machine that runs as it should; each test bends one thing.
Observed healthy() { return {.wanted = true, .instance = Observed::Instance{kinds::InstancePhase::Running}}; }

TEST(DecideVirtualMachine, RestsWhileTheInstanceRuns) { EXPECT_EQ(decide(healthy()), (Step{"Running", Duty::Rest})); }

TEST(DecideVirtualMachine, CreatesAnInstanceThatIsMissing) {
  auto observed = healthy();
  observed.instance.reset();
  EXPECT_EQ(decide(observed), (Step{"Starting", Duty::CreateInstance}));
}

TEST(DecideVirtualMachine, StopsAnInstanceThatIsNotWanted) {
  auto observed = healthy();
  observed.wanted = false;
  EXPECT_EQ(decide(observed), (Step{"Stopping", Duty::DeleteInstance}));
}

TEST(DecideVirtualMachine, IsStoppedOnceTheInstanceIsGone) {
  EXPECT_EQ(decide(Observed{}), (Step{"Stopped", Duty::Rest}));
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
  observed.wanted = false;
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

}  // namespace
}  // namespace godwit::controllers::virtual_machine
