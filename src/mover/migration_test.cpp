#include <gtest/gtest.h>

#include "mover/observed.hpp"

namespace godwit::mover::migration {
namespace {

using enum Stage;

// A migration that is going well; each test bends one thing.
Observed healthy(Stage stage) {
  Observed observed;
  observed.record = {stage, "Begun", ""};
  observed.attempted = true;
  observed.source = stage == SwitchingOver ? Copy::InTransit : Copy::Running;
  observed.target = stage == SwitchingOver ? Copy::Running : Copy::InTransit;
  observed.migrationUnderWay = true;
  return observed;
}

TEST(DecideMove, BeginsTheMigrationOnce) {
  auto observed = healthy(Copying);
  observed.attempted = observed.migrationUnderWay = false;
  observed.target = Copy::Absent;
  EXPECT_EQ(dutyOf(Copying, observed), Duty::BeginMigration);
  EXPECT_EQ(dutyOf(Copying, healthy(Copying)), Duty::Wait);
}

TEST(DecideMove, DoesNotBeginWhatTheTargetsProcessorCannotGoOnWith) {
  auto observed = healthy(Copying);
  observed.migrationUnderWay = false;
  observed.target = Copy::Absent;
  observed.incompatible = true;
  EXPECT_EQ(decide(observed), (Step{RollingBack, "IncompatibleProcessor"}));
}

TEST(DecideMove, HasMovedOnceTheGuestRunsAtTheTargetAndTheSourceIsGone) {
  for (const Stage stage : {Copying, Holding, Recalling, SwitchingOver, RollingBack}) {
    auto observed = healthy(stage);
    observed.source = Copy::Absent;
    observed.target = Copy::Running;
    EXPECT_EQ(decide(observed), (Step{Moved, "Completed"}));
    observed.target = Copy::Paused;
    EXPECT_EQ(decide(observed), (Step{Moved, "Completed"})) << "somebody has made it wait";
  }
}

TEST(DecideMove, ShutsTheSourceOutOnceTheGuestIsSeenAtTheTarget) {
  for (const Copy target : {Copy::Running, Copy::Paused, Copy::Ended}) {
    for (const Stage stage : {Copying, Holding, Recalling, RollingBack}) {
      auto observed = healthy(stage);
      observed.migrationUnderWay = false;
      observed.source = Copy::InTransit;
      observed.target = target;
      EXPECT_EQ(decide(observed).stage, SwitchingOver);
      EXPECT_EQ(dutyOf(SwitchingOver, observed), Duty::Fence);
    }
  }
}

TEST(DecideMove, NeverFencesASourceWhoseGuestMayStillComeBack) {
  for (const auto target : {Copy::Unknown, Copy::Absent, Copy::InTransit}) {
    auto observed = healthy(Copying);
    observed.source = Copy::InTransit;
    observed.target = target;
    EXPECT_NE(decide(observed).stage, SwitchingOver);
  }
}

TEST(DecideMove, GivesUpWhenTheSourceHasTakenTheGuestBack) {
  auto observed = healthy(SwitchingOver);
  observed.source = Copy::Running;
  EXPECT_EQ(decide(observed), (Step{RollingBack, "SourceResumed"}));
  observed.record.stage = RollingBack;
  observed.migrationUnderWay = false;
  EXPECT_EQ(dutyOf(RollingBack, observed), Duty::DestroyTarget);
}

TEST(DecideMove, IgnoresACancelOnceTheSwitchOverHasBegun) {
  auto observed = healthy(SwitchingOver);
  observed.cancelRequested = true;
  EXPECT_EQ(decide(observed).stage, SwitchingOver);
}

TEST(DecideMove, CancelsACopyUnderWay) {
  auto observed = healthy(Copying);
  observed.cancelRequested = true;
  EXPECT_EQ(decide(observed), (Step{RollingBack, "Cancelled"}));
  EXPECT_EQ(dutyOf(RollingBack, observed), Duty::CancelMigration);
}

TEST(DecideMove, GivesUpACopyThatTakesTooLong) {
  auto observed = healthy(Copying);
  observed.lapse = Lapse::CompletionTimeout;
  EXPECT_EQ(decide(observed), (Step{RollingBack, "CompletionTimeout"}));
  observed.lapse = Lapse::NoProgress;
  EXPECT_EQ(decide(observed), (Step{RollingBack, "NoProgress"}));
}

TEST(DecideMove, MakesTheGuestWaitInsteadWhereItMay) {
  auto observed = healthy(Copying);
  observed.lapse = Lapse::CompletionTimeout;
  observed.mayHold = true;
  EXPECT_EQ(decide(observed), (Step{Holding, "CompletionTimeout"}));
  EXPECT_EQ(dutyOf(Holding, observed), Duty::Hold);
  observed.record.stage = Holding;
  observed.source = Copy::InTransit;
  EXPECT_EQ(decide(observed).stage, Holding);
  EXPECT_EQ(dutyOf(Holding, observed), Duty::Wait);
  observed.target = Copy::Running;
  EXPECT_EQ(decide(observed), (Step{SwitchingOver, "GoneOnAtTarget"}));
}

TEST(DecideMove, GivesAGuestBackThatWaits) {
  auto observed = healthy(Holding);
  observed.source = Copy::InTransit;
  observed.cancelRequested = true;
  EXPECT_EQ(decide(observed), (Step{RollingBack, "Cancelled"}));
  observed.cancelRequested = false;
  observed.lapse = Lapse::NoProgress;
  EXPECT_EQ(decide(observed), (Step{RollingBack, "NoProgress"}));
}

TEST(DecideMove, DoesNotSwitchOverForTimeThatIsUpOnceTheGuestHasStopped) {
  auto observed = healthy(Copying);
  observed.source = Copy::InTransit;
  observed.lapse = Lapse::CompletionTimeout;
  EXPECT_EQ(decide(observed).stage, Copying);
}

TEST(DecideMove, CallsTheCopyOffForOneByWhichTheGuestGoesAheadWhereItMay) {
  auto observed = healthy(Copying);
  observed.lapse = Lapse::CompletionTimeout;
  observed.mayHold = observed.mayPostCopy = true;
  EXPECT_EQ(decide(observed), (Step{Recalling, "CompletionTimeout"}));
  EXPECT_EQ(dutyOf(Recalling, observed), Duty::CancelMigration);
  observed.record.stage = Recalling;
  observed.migrationUnderWay = false;
  EXPECT_EQ(decide(observed).stage, Recalling);
  observed.target = Copy::Absent;
  EXPECT_EQ(decide(observed), (Step{PostCopying, "CompletionTimeout"}));
  observed.attempted = false;
  EXPECT_EQ(dutyOf(PostCopying, observed), Duty::BeginPostCopy);
}

TEST(DecideMove, SwitchesOverWhenACopyArrivesThatWasToBeCalledOff) {
  auto observed = healthy(Recalling);
  observed.source = Copy::InTransit;
  observed.target = Copy::Running;
  EXPECT_EQ(decide(observed), (Step{SwitchingOver, "GoneOnAtTarget"}));
}

TEST(DecideMove, HonoursACancelUntilTheGuestWasLetGoAhead) {
  auto observed = healthy(PostCopying);
  observed.cancelRequested = true;
  EXPECT_EQ(decide(observed), (Step{RollingBack, "Cancelled"}));
  observed.goneAhead = true;
  EXPECT_EQ(decide(observed).stage, PostCopying);
}

// The guest runs at the target and fetches its memory.
Observed ahead() {
  auto observed = healthy(PostCopying);
  observed.source = Copy::LeftBehind;
  observed.target = Copy::Running;
  return observed;
}

TEST(DecideMove, LeavesASourceAloneThatHasMemoryOfTheGuest) {
  for (const auto target : {Copy::Running, Copy::Unknown, Copy::InTransit, Copy::Paused}) {
    for (const bool underWay : {true, false}) {
      auto observed = ahead();
      observed.target = target;
      observed.migrationUnderWay = underWay;
      observed.cancelRequested = true;
      EXPECT_EQ(decide(observed).stage, PostCopying);
      EXPECT_EQ(dutyOf(PostCopying, observed), Duty::Wait);
    }
  }
}

TEST(DecideMove, HasMovedOnceTheSourceIsNotNeededAnyMore) {
  auto observed = ahead();
  observed.source = Copy::Absent;
  EXPECT_EQ(decide(observed), (Step{Moved, "Completed"}));
}

TEST(DecideMove, EndsWhatIsLeftBehindOfAGuestThatIsGone) {
  auto observed = ahead();
  observed.target = Copy::Absent;
  EXPECT_EQ(dutyOf(PostCopying, observed), Duty::Wait) << "while the hypervisor is about it";
  observed.migrationUnderWay = false;
  EXPECT_EQ(dutyOf(PostCopying, observed), Duty::DestroySource);
  observed.source = Copy::Absent;
  EXPECT_EQ(decide(observed), (Step{Lost, "GuestLost"}));
}

TEST(DecideMove, NeitherUndoesNorFencesWhatHasGoneAhead) {
  auto observed = ahead();
  observed.record.stage = RollingBack;
  EXPECT_EQ(decide(observed), (Step{PostCopying, "AlreadySwitching"}));
}

TEST(DecideMove, KeepsTheReasonOfTheFailureInItsVerdict) {
  auto observed = healthy(RollingBack);
  observed.record.reason = "Cancelled";
  observed.migrationUnderWay = false;
  observed.target = Copy::Absent;
  EXPECT_EQ(decide(observed), (Step{NotMoved, "Cancelled"}));
}

TEST(DecideMove, WaitsForASourceThatDoesNotAnswer) {
  for (const auto stage : {Copying, SwitchingOver, RollingBack}) {
    auto observed = healthy(stage);
    observed.source = Copy::Unknown;
    EXPECT_EQ(decide(observed).stage, stage);
  }
}

TEST(DecideMove, ResumesASourceThatStandsStillOnlyWhenTheTargetHasNoCopy) {
  auto observed = healthy(RollingBack);
  observed.migrationUnderWay = false;
  observed.source = Copy::InTransit;
  for (const auto target : {Copy::Unknown, Copy::InTransit}) {
    observed.target = target;
    EXPECT_EQ(dutyOf(RollingBack, observed), Duty::Wait);
  }
  observed.target = Copy::Absent;
  EXPECT_EQ(dutyOf(RollingBack, observed), Duty::ResumeSource);
}

TEST(DecideMove, IsGivenUpForAnotherReasonWhenTheTargetHasDied) {
  auto observed = healthy(Copying);
  observed.cancelRequested = true;
  EXPECT_EQ(decide(observed), (Step{RollingBack, "Cancelled"}));
  observed.targetDead = true;
  EXPECT_EQ(decide(observed), (Step{RollingBack, "TargetLost"}));
}

TEST(DecideMove, SaysSoWhenTheGuestIsOnNeitherSide) {
  auto observed = healthy(Copying);
  observed.source = observed.target = Copy::Absent;
  EXPECT_EQ(decide(observed), (Step{Lost, "GuestLost"}));
}

TEST(DecideMove, HasMovedWhenTheGuestEndedAtTheTarget) {
  auto observed = healthy(Copying);
  observed.source = Copy::Absent;
  observed.target = Copy::Ended;
  EXPECT_EQ(decide(observed).stage, SwitchingOver);
  observed.record.stage = SwitchingOver;
  EXPECT_EQ(decide(observed), (Step{Moved, "GuestLostOnTheWay"}));
  observed.target = Copy::Absent;
  EXPECT_EQ(decide(observed), (Step{Moved, "GuestLostOnTheWay"})) << "it was seen there";
}

}  // namespace
}  // namespace godwit::mover::migration
