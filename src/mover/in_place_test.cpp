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
  if (stage == Holding || stage == SwitchingOver) observed.disks = {DiskPlace::Ready, DiskPlace::Ready};
  return observed;
}

// The guest stands still, for the move.
Observed held(Stage stage) {
  Observed observed = healthy(stage);
  observed.record.holdsGuest = true;
  observed.source = Copy::Paused;
  return observed;
}

TEST(DecideMoveInPlace, MirrorsEveryDisk) {
  auto observed = healthy(Copying);
  observed.attempted = false;
  observed.disks = {DiskPlace::Mirroring, DiskPlace::AtSource};
  EXPECT_EQ(decide(observed).stage, Copying);
  EXPECT_EQ(dutyOf(Copying, observed), Duty::BeginCopies);
}

TEST(DecideMoveInPlace, HoldsTheGuestWhenAllDisksAreReady) {
  auto observed = healthy(Copying);
  observed.disks = {DiskPlace::Ready, DiskPlace::Mirroring};
  EXPECT_EQ(decide(observed).stage, Copying);
  observed.disks = {DiskPlace::Ready, DiskPlace::Ready};
  EXPECT_EQ(decide(observed), (Step{Holding, "DisksInSync"}));
  EXPECT_EQ(dutyOf(Holding, observed), Duty::Pause);
}

TEST(DecideMoveInPlace, SwitchesOverOnceTheGuestStandsStillAndAllCopiesAreEqual) {
  EXPECT_EQ(decide(healthy(Holding)).stage, Holding) << "the guest writes";
  auto observed = held(Holding);
  observed.copiesLag = true;
  EXPECT_EQ(decide(observed).stage, Holding);
  EXPECT_EQ(dutyOf(Holding, observed), Duty::Wait);
  observed.copiesLag = false;
  EXPECT_EQ(decide(observed), (Step{SwitchingOver, "DisksEqual"}));
  EXPECT_EQ(dutyOf(SwitchingOver, observed), Duty::Pivot);
}

TEST(DecideMoveInPlace, LetsTheGuestGoOnWhenTheCopiesDoNotCatchUp) {
  auto observed = held(Holding);
  observed.copiesLag = observed.heldTooLong = true;
  EXPECT_EQ(decide(observed), (Step{RollingBack, "NoProgress"}));
  EXPECT_EQ(dutyOf(RollingBack, observed), Duty::ResumeSource);
}

TEST(DecideMoveInPlace, EndsOnlyOnceTheGuestGoesOn) {
  auto observed = held(SwitchingOver);
  observed.disks = {DiskPlace::AtDestination, DiskPlace::AtDestination};
  EXPECT_EQ(decide(observed).stage, SwitchingOver);
  EXPECT_EQ(dutyOf(SwitchingOver, observed), Duty::ResumeSource);
  observed.record.holdsGuest = false;  // it stands still for somebody else
  EXPECT_EQ(decide(observed), (Step{Moved, "Completed"}));
  observed = held(RollingBack);
  observed.disks = {DiskPlace::AtSource, DiskPlace::AtSource};
  EXPECT_EQ(decide(observed).stage, RollingBack);
  EXPECT_EQ(dutyOf(RollingBack, observed), Duty::ResumeSource);
  observed.source = Copy::Running;
  EXPECT_EQ(decide(observed).stage, NotMoved);
}

TEST(DecideMoveInPlace, LetsNoGuestWaitForACopyThatWasLostBetweenThePivots) {
  auto observed = held(SwitchingOver);
  observed.disks = {DiskPlace::AtDestination, DiskPlace::AtSource};
  EXPECT_EQ(decide(observed), (Step{Mending, "CopyFailed"}));
  EXPECT_EQ(dutyOf(Mending, observed), Duty::ResumeSource);
  observed.record.stage = Mending;
  observed.source = Copy::Running;
  EXPECT_EQ(dutyOf(Mending, observed), Duty::BeginCopies);
  observed.disks[1] = DiskPlace::Mirroring;
  EXPECT_EQ(dutyOf(Mending, observed), Duty::Wait);
  observed.disks[1] = DiskPlace::Ready;
  EXPECT_EQ(decide(observed).stage, Mending);
  EXPECT_EQ(dutyOf(Mending, observed), Duty::Pause);
  observed.source = Copy::Paused;
  observed.copiesLag = true;
  EXPECT_EQ(decide(observed).stage, Mending);
  EXPECT_EQ(dutyOf(Mending, observed), Duty::Wait);
  observed.heldTooLong = true;
  EXPECT_EQ(dutyOf(Mending, observed), Duty::CancelCopies) << "to be copied anew while the guest goes on";
  observed.copiesLag = false;
  EXPECT_EQ(decide(observed), (Step{SwitchingOver, "DisksEqual"}));
}

TEST(DecideMoveInPlace, UndoesASwitchOverWhenACopyIsLostBeforeTheFirstPivot) {
  auto observed = held(SwitchingOver);
  observed.disks = {DiskPlace::Ready, DiskPlace::AtSource};
  EXPECT_EQ(decide(observed), (Step{RollingBack, "CopyFailed"}));
}

TEST(DecideMoveInPlace, FinishesWhatADeadMoverHadBegunToPivot) {
  auto observed = held(SwitchingOver);
  observed.cancelRequested = true;
  observed.disks = {DiskPlace::AtDestination, DiskPlace::Ready};
  EXPECT_EQ(decide(observed).stage, SwitchingOver);
  EXPECT_EQ(dutyOf(SwitchingOver, observed), Duty::Pivot);
}

TEST(DecideMoveInPlace, FinishesWhatSomebodyElseHasBegunToPivot) {
  auto observed = healthy(Copying);
  observed.cancelRequested = true;
  observed.disks = {DiskPlace::AtDestination, DiskPlace::Ready};
  EXPECT_EQ(decide(observed), (Step{Mending, "AlreadySwitching"}));
  EXPECT_EQ(dutyOf(Mending, observed), Duty::Pause);
}

TEST(DecideMoveInPlace, SaysSoWhenAGuestDiesOnAMixtureOfDisks) {
  auto observed = healthy(Mending);
  observed.disks = {};
  observed.source = Copy::Absent;
  EXPECT_EQ(decide(observed), (Step{Lost, "DisksApart"}));
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

TEST(DecideMoveInPlace, StaysWhereItIsWhenTheGuestDiesBeforeTheCopiesAreEqual) {
  for (const Stage stage : {Copying, Verifying, InSync, Holding, RollingBack}) {
    auto observed = healthy(stage);
    observed.source = Copy::Absent;
    EXPECT_EQ(decide(observed), (Step{Lost, "GuestLost"}));
  }
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
  EXPECT_EQ(decide(observed).stage, Holding);
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
  EXPECT_EQ(decide(observed), (Step{Holding, "Verified"}));
}

TEST(DecideMoveInPlace, HoldsTheGuestForALookThatCounts) {
  auto observed = healthy(Verifying);
  observed.disks = {DiskPlace::Ready, DiskPlace::Ready};
  observed.agreement = Agreement::Doubtful;
  EXPECT_EQ(decide(observed), (Step{Holding, "Doubtful"}));
  EXPECT_EQ(dutyOf(Holding, observed), Duty::Pause);
  observed = held(Holding);
  observed.agreement = Agreement::Doubtful;
  EXPECT_EQ(decide(observed).stage, Holding);
  EXPECT_EQ(dutyOf(Holding, observed), Duty::Compare);
  observed.copiesLag = true;
  EXPECT_EQ(dutyOf(Holding, observed), Duty::Wait);
  observed.agreement = Agreement::Different;
  EXPECT_EQ(decide(observed), (Step{RollingBack, "CopiesDiffer"}));
  observed.agreement = Agreement::Pending;
  EXPECT_EQ(decide(observed), (Step{Verifying, "Verifying"}));
  EXPECT_EQ(dutyOf(Verifying, observed), Duty::ResumeSource);
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
  for (const Stage stage : {Verifying, InSync, Holding}) {
    auto observed = healthy(stage);
    observed.attempted = false;  // by another mover
    observed.switchOverHeld = true;
    observed.agreement = stage == Holding ? Agreement::Unasked : Agreement::Pending;
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
  EXPECT_EQ(decide(observed), (Step{Holding, "SwitchOverAskedFor"}));
}

}  // namespace
}  // namespace godwit::mover::in_place
