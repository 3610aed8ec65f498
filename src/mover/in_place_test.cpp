#include <gtest/gtest.h>

#include "mover/observed.hpp"

namespace godwit::mover::in_place {
namespace {

using enum Stage;

// Two disks on their way; each test bends one thing.
Observed healthy(Stage stage) {
  Observed observed;
  observed.record = {stage, "Begun", ""};
  observed.source = Copy::Running;
  observed.target = Copy::Absent;
  observed.attempted = true;
  observed.disks = {DiskPlace::Mirroring, DiskPlace::Mirroring};
  if (stage == SwitchingOver) observed.disks = {DiskPlace::Ready, DiskPlace::Ready};
  return observed;
}

TEST(DecideMoveInPlace, MirrorsEveryDisk) {
  auto observed = healthy(Copying);
  observed.attempted = false;
  observed.disks = {DiskPlace::Mirroring, DiskPlace::AtSource};
  EXPECT_EQ(decide(observed).stage, Copying);
  EXPECT_EQ(dutyOf(Copying, observed), Duty::BeginCopies);
}

TEST(DecideMoveInPlace, SwitchesOverWhenAllDisksAreReady) {
  auto observed = healthy(Copying);
  observed.disks = {DiskPlace::Ready, DiskPlace::Mirroring};
  EXPECT_EQ(decide(observed).stage, Copying);
  observed.disks = {DiskPlace::Ready, DiskPlace::Ready};
  EXPECT_EQ(decide(observed), (Step{SwitchingOver, "DisksInSync"}));
  EXPECT_EQ(dutyOf(SwitchingOver, observed), Duty::Pivot);
}

TEST(DecideMoveInPlace, FinishesWhatADeadMoverHadBegunToPivot) {
  auto observed = healthy(Copying);
  observed.cancelRequested = true;
  observed.disks = {DiskPlace::AtDestination, DiskPlace::Ready};
  EXPECT_EQ(decide(observed), (Step{SwitchingOver, "AlreadySwitching"}));
  EXPECT_EQ(dutyOf(SwitchingOver, observed), Duty::Pivot);
}

TEST(DecideMoveInPlace, MirrorsAgainADiskThatLostItsMirrorBetweenThePivots) {
  auto observed = healthy(SwitchingOver);
  observed.disks = {DiskPlace::AtDestination, DiskPlace::AtSource};
  EXPECT_EQ(decide(observed).stage, SwitchingOver);
  EXPECT_EQ(dutyOf(SwitchingOver, observed), Duty::BeginCopies);
}

TEST(DecideMoveInPlace, HasMovedWhenAllDisksHave) {
  auto observed = healthy(SwitchingOver);
  observed.disks = {DiskPlace::AtDestination, DiskPlace::AtDestination};
  EXPECT_EQ(decide(observed), (Step{Moved, "Completed"}));
}

TEST(DecideMoveInPlace, UndoesACopyThatFailed) {
  auto observed = healthy(Copying);
  observed.disks = {DiskPlace::AtSource, DiskPlace::Mirroring};
  EXPECT_EQ(decide(observed), (Step{RollingBack, "CopyFailed"}));
  EXPECT_EQ(dutyOf(RollingBack, observed), Duty::CancelCopies);
}

TEST(DecideMoveInPlace, HonoursACancelBeforeTheSwitchOverOnly) {
  auto observed = healthy(Copying);
  observed.cancelRequested = true;
  EXPECT_EQ(decide(observed), (Step{RollingBack, "Cancelled"}));
  observed = healthy(SwitchingOver);
  observed.cancelRequested = true;
  EXPECT_EQ(decide(observed).stage, SwitchingOver);
}

TEST(DecideMoveInPlace, HasNotMovedOnceNoMirrorIsLeft) {
  auto observed = healthy(RollingBack);
  observed.record.reason = "Cancelled";
  observed.disks = {DiskPlace::AtSource, DiskPlace::AtSource};
  EXPECT_EQ(decide(observed), (Step{NotMoved, "Cancelled"}));
}

TEST(DecideMoveInPlace, SaysSoWhenTheGuestIsGone) {
  auto observed = healthy(Copying);
  observed.source = Copy::Absent;
  EXPECT_EQ(decide(observed), (Step{Lost, "GuestLost"}));
}

TEST(DecideMoveInPlace, GoesOnWithTheDestinationsOfAGuestThatDiesInTheSwitchOver) {
  auto observed = healthy(SwitchingOver);
  observed.source = Copy::Absent;
  EXPECT_EQ(decide(observed), (Step{Moved, "GuestLostOnTheWay"}));
}

TEST(DecideMoveInPlace, GivesUpACopyThatComesNoNearer) {
  auto observed = healthy(Copying);
  observed.lapse = Lapse::NoProgress;
  EXPECT_EQ(decide(observed), (Step{RollingBack, "NoProgress"}));
  observed.disks = {DiskPlace::Ready, DiskPlace::Ready};
  EXPECT_EQ(decide(observed).stage, SwitchingOver);
}

TEST(DecideMoveInPlace, ComparesTheCopiesBeforeItSwitchesOver) {
  auto observed = healthy(Copying);
  observed.agreement = Agreement::Pending;
  observed.disks = {DiskPlace::Ready, DiskPlace::Ready};
  EXPECT_EQ(decide(observed), (Step{Verifying, "DisksInSync"}));
  EXPECT_EQ(dutyOf(Verifying, observed), Duty::Compare);
  observed.record.stage = Verifying;
  EXPECT_EQ(decide(observed), (Step{Verifying, "Verifying"}));
  observed.agreement = Agreement::Equal;
  EXPECT_EQ(decide(observed), (Step{SwitchingOver, "Verified"}));
}

TEST(DecideMoveInPlace, UndoesWhatIsNotACopyOrCannotBeFoundToBeOne) {
  auto observed = healthy(Verifying);
  observed.disks = {DiskPlace::Ready, DiskPlace::Ready};
  observed.agreement = Agreement::Different;
  EXPECT_EQ(decide(observed), (Step{RollingBack, "CopiesDiffer"}));
  observed.agreement = Agreement::Impossible;
  EXPECT_EQ(decide(observed), (Step{RollingBack, "CannotVerify"}));
}

TEST(DecideMoveInPlace, HonoursACancelAndALostMirrorWhileItComparesOrWaits) {
  for (const Stage stage : {Verifying, InSync}) {
    auto observed = healthy(stage);
    observed.attempted = false;  // by another mover
    observed.switchOverHeld = true;
    observed.agreement = Agreement::Pending;
    observed.disks = {DiskPlace::Ready, DiskPlace::AtSource};
    EXPECT_EQ(decide(observed), (Step{RollingBack, "CopyFailed"}));
    observed.disks = {DiskPlace::Ready, DiskPlace::Ready};
    EXPECT_EQ(decide(observed).stage, stage);
    observed.cancelRequested = true;
    EXPECT_EQ(decide(observed), (Step{RollingBack, "Cancelled"}));
  }
}

TEST(DecideMoveInPlace, KeepsDisksEqualUntilTheSwitchOverIsAskedFor) {
  auto observed = healthy(Copying);
  observed.switchOverHeld = true;
  observed.disks = {DiskPlace::Ready, DiskPlace::Ready};
  EXPECT_EQ(decide(observed), (Step{InSync, "DisksInSync"}));
  EXPECT_EQ(dutyOf(InSync, observed), Duty::Wait);
  observed.record.stage = Verifying;
  observed.agreement = Agreement::Equal;
  EXPECT_EQ(decide(observed), (Step{InSync, "Verified"}));
  observed.record.stage = InSync;
  EXPECT_EQ(decide(observed), (Step{InSync, "InSync"}));
  observed.switchOverHeld = false;
  EXPECT_EQ(decide(observed), (Step{SwitchingOver, "SwitchOverAskedFor"}));
}

}  // namespace
}  // namespace godwit::mover::in_place
