#include "node/launcher/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::node::launcher {
namespace {

// A pod whose guest runs; each test bends one thing.
Observed healthy() { return {.phase = Observed::PodPhase::Running, .domainHere = true, .active = true}; }

TEST(DecideLauncher, LeavesARunningGuestAlone) { EXPECT_EQ(decide(healthy()).duty, Duty::Rest); }

TEST(DecideLauncher, StartsAGuestThatNamesThisNode) {
  EXPECT_EQ(decide({.active = true, .toBeStarted = true}), (Step{"", "Starting", Duty::StartGuest}));
}

TEST(DecideLauncher, WaitsForVolumesThatAreBeingFilled) {
  const Step waits{"Pending", "WaitingForVolumes", Duty::Rest};
  EXPECT_EQ(decide({.active = true, .toBeStarted = true, .volumesReady = false}), waits);
  EXPECT_EQ(decide({.isTarget = true, .volumesReady = false}), waits);
}

TEST(DecideLauncher, DoesNotStartAGuestThatHasRunBefore) {
  EXPECT_EQ(decide({.active = true, .toBeStarted = false}).duty, Duty::Rest);
}

TEST(DecideLauncher, OnlyPreparesATarget) {
  EXPECT_EQ(decide({.isTarget = true}), (Step{"", "Preparing", Duty::PrepareVolumes}));
}

TEST(DecideLauncher, ReportsAGuestThatIsGoneWhenItIsMissedTwice) {
  auto observed = healthy();
  observed.domainHere = false;
  EXPECT_EQ(decide(observed), (Step{"Running", "GuestMissed", Duty::Rest}));
  observed.missedBefore = true;
  EXPECT_EQ(decide(observed), (Step{"Failed", "GuestGone", Duty::Rest}));
}

TEST(DecideLauncher, CallsItASuccessWhenTheGuestPowersItselfOff) {
  auto observed = healthy();
  observed.domainHere = false;
  observed.poweredOff = true;
  EXPECT_EQ(decide(observed), (Step{"Succeeded", "GuestPoweredOff", Duty::Rest}));
}

TEST(DecideLauncher, PausesAGuestOnWishAndLetsItRunOnWish) {
  auto observed = healthy();
  observed.toBePaused = true;
  EXPECT_EQ(decide(observed).duty, Duty::PauseGuest);
  observed.standsStill = observed.mayHaveBeenPaused = true;
  EXPECT_EQ(decide(observed).duty, Duty::Rest);
  observed.toBePaused = false;
  EXPECT_EQ(decide(observed).duty, Duty::ResumeGuest);
}

TEST(DecideLauncher, NeverResumesAGuestThatItHasNotPaused) {
  auto observed = healthy();
  observed.standsStill = true;
  EXPECT_EQ(decide(observed).duty, Duty::Rest) << "QEMU, or somebody beside Godwit, had a reason";
}

TEST(DecideLauncher, NeitherPausesNorResumesAGuestThatAMoverHas) {
  auto observed = healthy();
  observed.moving = observed.toBePaused = true;
  EXPECT_EQ(decide(observed).duty, Duty::Rest);
  observed.toBePaused = false;
  observed.standsStill = observed.mayHaveBeenPaused = true;
  EXPECT_EQ(decide(observed).duty, Duty::Rest);
  observed.moving = observed.active = false;
  EXPECT_EQ(decide(observed).duty, Duty::Rest) << "nor one that is another pod's";
}

TEST(DecideLauncher, AsksAGuestToShutDownWhileItsTimeIsNotOver) {
  auto observed = healthy();
  observed.beingDeleted = observed.graceLeft = true;
  EXPECT_EQ(decide(observed), (Step{"", "ShuttingDown", Duty::ShutDownGuest}));
  observed.standsStill = true;
  EXPECT_EQ(decide(observed).duty, Duty::DestroyGuest) << "one that stands still cannot shut down";
  observed.standsStill = observed.graceLeft = false;
  EXPECT_EQ(decide(observed).duty, Duty::DestroyGuest);
}

TEST(DecideLauncher, DoesNotMissAGuestThatIsMovingAway) {
  auto observed = healthy();
  observed.domainHere = false;
  observed.moving = true;
  EXPECT_EQ(decide(observed).duty, Duty::Rest);
  EXPECT_EQ(decide(observed).phase, "");
}

TEST(DecideLauncher, DoesNotMissAGuestThatAnotherPodHas) {
  auto observed = healthy();
  observed.domainHere = observed.active = false;
  EXPECT_EQ(decide(observed).phase, "");
}

TEST(DecideLauncher, EndsTheGuestOfADeletedPodAndThenLetsGo) {
  auto observed = healthy();
  observed.beingDeleted = true;
  EXPECT_EQ(decide(observed), (Step{"", "Stopping", Duty::DestroyGuest}));
  observed.domainHere = false;
  EXPECT_EQ(decide(observed), (Step{"", "Released", Duty::Release}));
}

TEST(DecideLauncher, NeverEndsAGuestThatAnotherPodHasTakenOver) {
  auto observed = healthy();
  observed.beingDeleted = observed.anotherPodIsActive = true;
  observed.active = false;
  EXPECT_EQ(decide(observed), (Step{"", "TakenOver", Duty::Release}));
}

TEST(DecideLauncher, NeverEndsAGuestWhileAMoverDecidesWhereItIs) {
  auto observed = healthy();
  observed.beingDeleted = observed.moving = true;
  EXPECT_EQ(decide(observed), (Step{"", "WaitingForMover", Duty::Rest}));
}

TEST(DecideLauncher, KeepsAPodThatAGuestMayBeOnItsWayTo) {
  auto observed = healthy();
  observed.beingDeleted = observed.moving = true;
  observed.active = observed.domainHere = false;
  EXPECT_EQ(decide(observed), (Step{"", "WaitingForMover", Duty::Rest}));
  observed.domainHere = observed.anotherPodIsActive = true;
  EXPECT_EQ(decide(observed), (Step{"", "WaitingForMover", Duty::Rest}));
}

TEST(DecideLauncher, DoesNothingWhileTheHypervisorIsSilent) {
  auto observed = healthy();
  observed.beingDeleted = true;
  observed.domainKnown = false;
  EXPECT_EQ(decide(observed).duty, Duty::Rest);
}

// The target of a move whose source has died.
Observed orphan() { return {.phase = Observed::PodPhase::Running, .isTarget = true, .orphaned = true}; }

TEST(DecideLauncher, SaysThatAGuestHasArrivedWhoseSourceIsDead) {
  auto observed = orphan();
  observed.domainHere = observed.domainRuns = true;
  EXPECT_EQ(decide(observed), (Step{"Running", "GuestArrived", Duty::Rest}));
  observed.beingDeleted = true;
  EXPECT_EQ(decide(observed).duty, Duty::Rest);
}

TEST(DecideLauncher, SaysTheSameOfOneThatHasEndedSince) {
  auto observed = orphan();
  observed.domainRan = true;
  EXPECT_EQ(decide(observed), (Step{"Running", "GuestArrived", Duty::Rest}));
}

TEST(DecideLauncher, EndsACopyThatStandsStillWhenItsSourceIsDead) {
  auto observed = orphan();
  observed.domainHere = true;
  EXPECT_EQ(decide(observed), (Step{"", "SourceDead", Duty::DestroyGuest}));
}

TEST(DecideLauncher, SaysThatNothingArrivedOnlyWhenThereIsNoCopy) {
  EXPECT_EQ(decide(orphan()), (Step{"Failed", "GuestNeverArrived", Duty::Rest}));
  auto silent = orphan();
  silent.domainKnown = false;
  EXPECT_EQ(decide(silent).phase, "");
}

}  // namespace
}  // namespace godwit::node::launcher
