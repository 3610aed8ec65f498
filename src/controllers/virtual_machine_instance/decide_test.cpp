#include "controllers/virtual_machine_instance/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::virtual_machine_instance {
namespace {

using enum kinds::InstancePhase;

// An instance that is doing well; each test bends one thing.
Observed healthy(InstancePhase phase) {
  Observed observed{.phase = phase, .reason = "", .beingDeleted = false, .pod = {}};
  if (phase == Scheduled || phase == Running)
    observed.pod = Observed::Pod{"node-1", phase == Running ? "Running" : "Pending", ""};
  return observed;
}

TEST(DecideInstance, WantsAPodOnceItIsAccepted) {
  EXPECT_EQ(decide(healthy(Pending)), (Step{Scheduling, "CreatingPod"}));
  EXPECT_EQ(dutyOf(Scheduling, healthy(Scheduling)), Duty::CreatePod);
}

TEST(DecideInstance, WaitsForItsPodToBeBound) {
  auto observed = healthy(Scheduling);
  observed.pod = Observed::Pod{};
  EXPECT_EQ(decide(observed), (Step{Scheduling, "WaitingForNode"}));
}

TEST(DecideInstance, PassesOnThatNoNodeIsGoodEnough) {
  auto observed = healthy(Scheduling);
  observed.pod = Observed::Pod{.unschedulable = true};
  EXPECT_EQ(decide(observed), (Step{Scheduling, "Unschedulable"}));
}

TEST(DecideInstance, NamesTheNodeBeforeTheGuestIsStarted) {
  auto observed = healthy(Scheduling);
  observed.pod = Observed::Pod{.node = "node-1"};
  EXPECT_EQ(decide(observed), (Step{Scheduled, "PodBound"}));
}

TEST(DecideInstance, RunsWhenItsPodRuns) {
  auto observed = healthy(Scheduled);
  observed.pod->phase = "Running";
  EXPECT_EQ(decide(observed), (Step{Running, "GuestStarted"}));
}

TEST(DecideInstance, FailsWhenTheGuestIsGone) {
  auto observed = healthy(Running);
  observed.pod->phase = "Failed";
  EXPECT_EQ(decide(observed), (Step{Failed, "GuestGone"}));
}

TEST(DecideInstance, StaysAsItIsOnceItHasEnded) {
  auto observed = healthy(Failed);
  observed.reason = "GuestGone";
  EXPECT_EQ(decide(observed), (Step{Failed, "GuestGone"}));
}

TEST(DecideInstance, TearsDownInWhateverPhaseItIsDeleted) {
  for (const auto phase : {Pending, Scheduling, Scheduled, Running, Succeeded, Failed}) {
    auto observed = healthy(phase);
    observed.beingDeleted = true;
    EXPECT_EQ(dutyOf(phase, observed), Duty::TearDown);
  }
}

TEST(DecideInstance, WaitsForVolumesThatAreBeingFilled) {
  Observed observed{.phase = InstancePhase::Scheduled, .reason = "", .pod = Observed::Pod{.node = "a"}};
  observed.volumesUnfilled = true;
  EXPECT_EQ(decide(observed), (Step{InstancePhase::Scheduled, kWaitingForDataVolume}));
}

TEST(DecideInstance, FailsWhenItsNodeIsKnownToBeDead) {
  for (const auto phase : {Scheduled, Running}) {
    auto observed = healthy(phase);
    observed.pod->phase = "Failed";
    observed.pod->lost = true;
    EXPECT_EQ(decide(observed), (Step{Failed, "NodeDead"}));
  }
}

TEST(DecideInstance, LivesUntilItsMigrationSaysWhereTheGuestIs) {
  auto observed = healthy(Running);
  observed.moving = true;
  observed.pod->phase = "Failed";
  observed.pod->lost = true;
  EXPECT_EQ(decide(observed), (Step{Running, "WaitingForMove"}));
  observed.pod.reset();
  EXPECT_EQ(decide(observed), (Step{Running, "WaitingForMove"}));
}

}  // namespace
}  // namespace godwit::controllers::virtual_machine_instance
