#include "controllers/volume_migration/offline/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::volume_migration::offline {
namespace {

using namespace std::chrono_literals;
using enum kinds::VolumeMigrationPhase;

// A wish whose volumes are being copied; each test bends one thing.
Observed copying(Phase phase = Running) {
  Observed observed;
  observed.phase = phase;
  observed.reason = "Copying";
  observed.attempt = 1;
  observed.copies = {.made = true, .begun = true};
  observed.machineFollowed = false;
  return observed;
}

Observed judged(Phase phase) {
  Observed observed;
  observed.phase = phase;
  observed.allValid = true;
  return observed;
}

TEST(DecideOfflineMove, FailsAtOnceWhenAVolumeIsRefused) {
  auto observed = judged(Unset);
  observed.rejected = true;
  EXPECT_EQ(decide(observed), (Step{Failed, "Rejected"}));
}

TEST(DecideOfflineMove, WaitsForTheGuestToStopAndStartsByItself) {
  auto observed = judged(Unset);
  observed.allValid = false;
  EXPECT_EQ(decide(observed), (Step{Pending, "WaitingForVolumes"}));
  EXPECT_EQ(decide(judged(Pending)), (Step{Scheduling, "Validated"}));
}

TEST(DecideOfflineMove, MakesCopiesAndRunsWhenOneHasBegun) {
  auto observed = copying(Scheduling);
  observed.copies = {};
  EXPECT_EQ(dutyOf(decide(observed), observed), Duty::MakeCopies);
  observed.copies.made = true;
  EXPECT_EQ(decide(observed), (Step{Scheduling, "WaitingForNode"}));
  EXPECT_EQ(dutyOf(decide(observed), observed), Duty::Rest);
  EXPECT_EQ(decide(copying(Scheduling)), (Step{Running, "Copying"}));
}

TEST(DecideOfflineMove, HasOnRecordThatAllIsCopiedBeforeTheMachineIsTold) {
  auto observed = copying();
  observed.copies.done = true;
  EXPECT_EQ(decide(observed), (Step{Running, "UpdatingMachine"}));
  EXPECT_EQ(dutyOf(decide(observed), observed), Duty::Rest);
  observed.reason = kUpdatingMachine;
  EXPECT_EQ(dutyOf(decide(observed), observed), Duty::UpdateMachine);
}

TEST(DecideOfflineMove, DoesNotTakeAMachineThatWasEditedByHandForACopyThatIsWhole) {
  auto observed = copying();
  observed.machineFollowed = true;
  EXPECT_EQ(decide(observed), (Step{Running, "Copying"}));
}

TEST(DecideOfflineMove, SucceedsWhenTheMachineHasFollowedThoughThePodsAreGone) {
  auto observed = copying();
  observed.reason = kUpdatingMachine;
  observed.copies = {};
  EXPECT_EQ(decide(observed), (Step{Running, "UpdatingMachine"}));
  observed.machineFollowed = true;
  EXPECT_EQ(decide(observed), (Step{Succeeded, "Completed"}));
}

TEST(DecideOfflineMove, GivesWayToAGuestThatWasThereFirst) {
  for (const Phase phase : {Scheduling, Running}) {
    auto observed = copying(phase);
    observed.copies.failed = observed.copies.sourceInUse = true;
    EXPECT_EQ(decide(observed), (Step{Pending, "SourceInUse"}));
    EXPECT_EQ(dutyOf(decide(observed), observed), Duty::RemoveCopies);
  }
}

TEST(DecideOfflineMove, TriesAgainAfterAWhile) {
  auto observed = copying();
  observed.copies.failed = true;
  observed.copies.failedFor = 19s;
  EXPECT_EQ(decide(observed), (Step{Running, "WaitingToTryAgain"}));
  observed.copies.failedFor = 20s;
  EXPECT_EQ(decide(observed), (Step{Scheduling, "TryingAgain"}));
  observed.attempt = 2;
  EXPECT_EQ(decide(observed), (Step{Running, "WaitingToTryAgain"}));
}

TEST(DecideOfflineMove, DoesNotTryAgainWhatCannotBe) {
  auto observed = copying();
  observed.copies.failed = observed.copies.hopeless = true;
  EXPECT_EQ(decide(observed), (Step{Failed, "CopyFailed"}));
  EXPECT_EQ(dutyOf(decide(observed), observed), Duty::ClearAway);
}

TEST(DecideOfflineMove, IsCalledOffUntilTheMachineHasFollowed) {
  for (const Phase phase : {Pending, Scheduling, Running}) {
    auto observed = copying(phase);
    observed.beingDeleted = true;
    EXPECT_EQ(decide(observed), (Step{Failed, "Cancelled"}));
  }
  auto observed = copying();
  observed.beingDeleted = observed.copies.done = true;
  EXPECT_EQ(decide(observed), (Step{Failed, "Cancelled"}));
  observed.machineFollowed = true;
  EXPECT_EQ(decide(observed), (Step{Succeeded, "Completed"}));
}

}  // namespace
}  // namespace godwit::controllers::volume_migration::offline
