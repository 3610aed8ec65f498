#include "controllers/migration/decide.hpp"

#include <gtest/gtest.h>

#include "controllers/migration/failure.hpp"

namespace godwit::controllers::migration {
namespace {

using namespace std::chrono_literals;
using enum kinds::MigrationPhase;

// A migration that is going well; each test bends one thing.
Observed healthy(MigrationPhase phase) {
  Observed observed;
  observed.phase = phase;
  observed.instance = Observed::Instance{.running = true, .heldByUs = phase > Pending};
  if (phase >= Scheduling) observed.target = Observed::TargetPod{.bound = phase >= Scheduled};
  if (phase >= PreparingTarget) observed.instance->handedOff = true;
  if (phase >= TargetReady) observed.target->ready = true;
  if (phase == Running) observed.mover = Observed::MoverPod{};
  return observed;
}

TEST(DecideMigration, ClaimsTheInstanceBeforeAnythingIsCreated) {
  EXPECT_EQ(decide(healthy(Pending)), (Step{Pending, "ClaimingInstance"}));
  EXPECT_EQ(dutyOf(Pending, healthy(Pending)), Duty::ClaimInstance);
}

TEST(DecideMigration, WaitsWhileAnotherMigrationHoldsTheInstance) {
  auto observed = healthy(Pending);
  observed.instance->heldByAnother = true;
  EXPECT_EQ(decide(observed), (Step{Pending, "AnotherMigrationInProgress"}));
  EXPECT_EQ(dutyOf(Pending, observed), Duty::Rest);
}

TEST(DecideMigration, IsCalledOffForAGuestThatIsToEnd) {
  auto observed = healthy(Running);
  observed.instance->ended = observed.instance->leaving = true;
  EXPECT_EQ(decide(observed), (Step{Running, "InstanceLeaving"}));
  EXPECT_EQ(dutyOf(Running, observed), Duty::CancelMover);
  observed.mover->failed = true;
  EXPECT_EQ(decide(observed), (Step{Failed, "MoveFailed"}));
}

TEST(DecideMigration, StaysOpenUntilPeopleHaveSeenThatDisksAreApart) {
  auto observed = healthy(Running);
  observed.mover = {.failed = true, .reason = "DisksApart", .message = "DisksApart: a there, b here"};
  EXPECT_EQ(decide(observed), (Step{Running, "DisksApart"}));
  EXPECT_EQ(dutyOf(Running, observed), Duty::Rest);
  EXPECT_NE(explain(decide(observed), observed).find("a there, b here"), std::string::npos);
  observed.cancelRequested = observed.outcomeGivenUp = true;
  EXPECT_EQ(decide(observed), (Step{Failed, "MoveFailed"}));
}

TEST(DecideMigration, WaitsForItsTurnToBeginAndToArrive) {
  for (const MigrationPhase phase : {Pending, Scheduled}) {
    auto observed = healthy(phase);
    observed.queue = kinds::QueuePlace{3, {}, "2 at a time away from node node-1"};
    EXPECT_EQ(decide(observed), (Step{phase, "WaitingForTurn"}));
    EXPECT_EQ(dutyOf(phase, observed), Duty::Rest);
    EXPECT_EQ(explain(decide(observed), observed),
              "number 3 of those that wait; the limit is 2 at a time away from node node-1");
  }
}

TEST(DecideMigration, TakesNoTurnThatItCouldNotUse) {
  EXPECT_TRUE(mayBeClaimed(healthy(Pending)));
  for (const auto bend : {+[](Observed& o) { o.cancelRequested = true; }, +[](Observed& o) { o.instance.reset(); },
                          +[](Observed& o) { o.instance->running = false; }, +[](Observed& o) { o.missingClaim = "x"; },
                          +[](Observed& o) { o.instance->heldByAnother = true; }}) {
    auto observed = healthy(Pending);
    bend(observed);
    EXPECT_FALSE(mayBeClaimed(observed));
  }
}

TEST(DecideMigration, TellsTheMoverOfOptionsThatChange) {
  auto observed = healthy(Running);
  EXPECT_EQ(dutyOf(Running, observed), Duty::Rest);
  observed.optionsChanged = true;
  EXPECT_EQ(dutyOf(Running, observed), Duty::TellOptions);
  observed.cancelRequested = true;
  EXPECT_EQ(dutyOf(Running, observed), Duty::CancelMover);
}

TEST(DecideMigration, FailsAtOnceWithoutAnInstance) {
  auto observed = healthy(Pending);
  observed.instance.reset();
  EXPECT_EQ(decide(observed), (Step{Failed, "InstanceNotFound"}));
}

TEST(DecideMigration, RefusesVolumesThatTheInstanceDoesNotUse) {
  auto observed = healthy(Pending);
  observed.instance->unattachedClaim = "disk-1";
  EXPECT_EQ(decide(observed), (Step{Failed, "VolumeNotAttached"}));
}

TEST(DecideMigration, RefusesAGuestThatStandsStill) {
  auto observed = healthy(Pending);
  observed.instance->paused = true;
  EXPECT_EQ(decide(observed), (Step{Failed, "InstancePaused"}));
  EXPECT_EQ(dutyOf(Pending, observed), Duty::Rest) << "a mover would take it for one that a migration has stopped";
}

TEST(DecideMigration, RefusesADestinationThatDoesNotExist) {
  for (const MigrationPhase phase : {Pending, Scheduling}) {
    auto observed = healthy(phase);
    observed.target.reset();
    observed.missingClaim = "disk-9";
    EXPECT_EQ(decide(observed), (Step{Failed, "DestinationNotFound"}));
    EXPECT_EQ(explain(decide(observed), observed), "claim disk-9 does not exist; make it, then a new migration");
  }
}

TEST(DecideMigration, CreatesATargetOnceTheInstanceIsClaimed) {
  auto observed = healthy(Scheduling);
  observed.target.reset();
  EXPECT_EQ(dutyOf(Scheduling, observed), Duty::CreateTarget);
}

TEST(DecideMigration, GivesUpOnATargetThatNoNodeTakesForLong) {
  auto observed = healthy(Scheduling);
  observed.target->unschedulable = true;
  EXPECT_EQ(decide(observed), (Step{Scheduling, "Unschedulable"}));
  observed.inPhase = 301s;
  EXPECT_EQ(decide(observed), (Step{Failed, "Unschedulable"}));
}

TEST(DecideMigration, TriesAgainForATimeWhenTheTargetIsRefusedForQuota) {
  auto observed = healthy(Scheduling);
  observed.target.reset();
  observed.overQuota = "exceeded quota: compute";
  EXPECT_EQ(decide(observed), (Step{Scheduling, "QuotaExceeded"}));
  EXPECT_EQ(dutyOf(Scheduling, observed), Duty::CreateTarget);
  observed.inPhase = 301s;
  EXPECT_EQ(decide(observed), (Step{Failed, "QuotaExceeded"}));
  EXPECT_EQ(explain(decide(observed), observed), "exceeded quota: compute");
  EXPECT_EQ(failureOf(decide(observed), observed).failureClass, "Quota");
}

TEST(DecideMigration, TellsAtOnceThatTheNodeWhichItAsksForCannotTakeIt) {
  auto observed = healthy(Scheduling);
  observed.target->unschedulable = true;
  observed.target->message = "0/3 nodes are available: 1 Insufficient memory.";
  observed.restricted = true;
  observed.inPhase = 1s;
  EXPECT_EQ(decide(observed), (Step{Scheduling, "Unschedulable"}));
  observed.inPhase = 3s;
  EXPECT_EQ(decide(observed), (Step{Failed, "Unschedulable"}));
  EXPECT_EQ(explain(decide(observed), observed), "0/3 nodes are available: 1 Insufficient memory.");
}

TEST(DecideMigration, WaitsForWhatIsStillOnItsWayOutOfTheNodeItAsksFor) {
  auto observed = healthy(Scheduling);
  observed.target->unschedulable = true;
  observed.restricted = observed.unsettled = true;
  observed.inPhase = 3s;
  EXPECT_EQ(decide(observed), (Step{Scheduling, "Unschedulable"}));
}

TEST(DecideMigration, DoesNotBeginWhatNoNodeAllows) {
  const std::pair<Obstacle, std::string_view> obstacles[] = {{Obstacle::SelectorsCollide, "ConflictingNodeSelectors"},
                                                             {Obstacle::NoNodeMatches, "NoMatchingNode"},
                                                             {Obstacle::AlreadyThere, "AlreadyOnNode"},
                                                             {Obstacle::ExcludedByMachine, "ExcludedByVirtualMachine"}};
  for (const auto& [obstacle, reason] : obstacles) {
    auto observed = healthy(Pending);
    observed.prospect = {obstacle, "why not"};
    EXPECT_EQ(decide(observed), (Step{Failed, reason}));
    EXPECT_EQ(explain(decide(observed), observed), "why not");
    EXPECT_EQ(dutyOf(Pending, observed), Duty::Rest);
  }
}

TEST(DecideMigration, AsksWhereItMayGoOnlyWhenItsTurnHasCome) {
  auto observed = healthy(Pending);
  observed.prospect.obstacle = Obstacle::AlreadyThere;
  observed.instance->heldByAnother = true;
  EXPECT_EQ(decide(observed), (Step{Pending, "AnotherMigrationInProgress"}));
}

TEST(DecideMigration, FailsWhenTheTargetIsTheSource) {
  auto observed = healthy(Scheduling);
  observed.target->onSource = true;
  EXPECT_EQ(decide(observed), (Step{Failed, "TargetIsSource"}));
  observed.inPlace = true;
  observed.target->bound = true;
  EXPECT_EQ(decide(observed), (Step{Scheduled, "TargetBound"}));
}

TEST(DecideMigration, IsCancelledAtOnceBeforeTheMoverMayExist) {
  for (const auto phase : {Pending, Scheduling, Scheduled, PreparingTarget, TargetReady}) {
    auto observed = healthy(phase);
    observed.cancelRequested = true;
    EXPECT_EQ(decide(observed), (Step{Failed, "Cancelled"}));
  }
}

TEST(DecideMigration, PutsRunningOnRecordBeforeTheMoverIsCreated) {
  EXPECT_EQ(decide(healthy(TargetReady)), (Step{Running, "Moving"}));
  EXPECT_EQ(dutyOf(TargetReady, healthy(TargetReady)), Duty::Rest);
  auto observed = healthy(Running);
  observed.mover.reset();
  EXPECT_EQ(dutyOf(Running, observed), Duty::CreateMover);
}

TEST(DecideMigration, PassesACancelOnToARunningMover) {
  auto observed = healthy(Running);
  observed.cancelRequested = true;
  EXPECT_EQ(decide(observed), (Step{Running, "Cancelling"}));
  EXPECT_EQ(dutyOf(Running, observed), Duty::CancelMover);
}

TEST(DecideMigration, SucceedsOnlyWhenTheInstanceSaysWhereTheGuestIs) {
  auto observed = healthy(Running);
  observed.mover->succeeded = true;
  EXPECT_EQ(decide(observed), (Step{Running, "HandingOver"}));
  EXPECT_EQ(dutyOf(Running, observed), Duty::HandOver);
  observed.instance->handedOver = true;
  EXPECT_EQ(decide(observed), (Step{Succeeded, "Completed"}));
}

TEST(DecideMigration, TrustsTheMoverAndNotTheTargetPodOnceItRuns) {
  auto observed = healthy(Running);
  observed.target->failed = true;
  EXPECT_EQ(decide(observed), (Step{Running, "Moving"}));
  observed.mover->failed = true;
  EXPECT_EQ(decide(observed), (Step{Failed, "MoveFailed"}));
}

TEST(DecideMigration, GivesEverythingBackAfterAFailure) {
  EXPECT_EQ(dutyOf(Failed, healthy(Failed)), Duty::GiveBack);
  EXPECT_EQ(dutyOf(Succeeded, healthy(Succeeded)), Duty::CleanUp);
}

TEST(DecideMigration, FailsWhenTheGuestDiesWithItsNodeBeforeItMoves) {
  for (const MigrationPhase phase : {Scheduling, Scheduled, PreparingTarget, TargetReady}) {
    auto observed = healthy(phase);
    observed.instance->dead = true;
    EXPECT_EQ(decide(observed), (Step{Failed, "SourceDied"}));
  }
}

// A move between nodes whose source has died.
Observed orphaned() {
  Observed observed = healthy(Running);
  observed.mover->onDeadNode = true;
  observed.sourceNode = "node-1";
  return observed;
}

Observed withoutMover() {
  Observed observed = orphaned();
  *observed.mover = {.failed = true, .lost = true};
  return observed;
}

TEST(DecideMigration, GivesUpAMoverWhoseNodeIsDeadBeforeItAsksTheTarget) {
  EXPECT_EQ(decide(orphaned()), (Step{Running, "GivingUpMover"}));
  EXPECT_EQ(dutyOf(Running, orphaned()), Duty::AbandonMover);
  EXPECT_EQ(decide(withoutMover()), (Step{Running, "AskingTarget"}));
  EXPECT_EQ(dutyOf(Running, withoutMover()), Duty::AskTarget);
}

TEST(DecideMigration, HandsOverToATargetThatHasTheGuestRunning) {
  auto observed = withoutMover();
  observed.target->arrived = true;
  EXPECT_EQ(decide(observed), (Step{Running, "HandingOver"}));
  EXPECT_EQ(dutyOf(Running, observed), Duty::HandOver);
}

TEST(DecideMigration, FailsWhenTheGuestNeverRanAtTheTarget) {
  auto observed = withoutMover();
  observed.target->ended = true;
  EXPECT_EQ(decide(observed), (Step{Failed, "SourceDied"}));
  EXPECT_EQ(explain(decide(observed), observed), "node node-1 died before the guest had moved");
}

TEST(DecideMigration, WaitsForTheJournalWhenVolumesMoveInPlace) {
  auto observed = orphaned();
  observed.inPlace = true;
  observed.movesVolumes = true;
  EXPECT_EQ(decide(observed), (Step{Running, "OutcomeUnknown"}));
  EXPECT_EQ(dutyOf(Running, observed), Duty::Rest);
  observed.mover->onDeadNode = false;
  EXPECT_EQ(decide(observed), (Step{Running, "Moving"}));
}

TEST(DecideMigration, WaitsForTheJournalWhenVolumesMoveAndBothNodesAreDead) {
  auto observed = orphaned();
  observed.movesVolumes = true;
  observed.target->onDeadNode = true;
  EXPECT_EQ(decide(observed), (Step{Running, "OutcomeUnknown"}));
  EXPECT_EQ(dutyOf(Running, observed), Duty::Rest);
  observed.movesVolumes = false;
  EXPECT_EQ(dutyOf(Running, observed), Duty::AbandonMover);
}

TEST(DecideMigration, GoesBackToTheOldVolumesWhenAPersonSaysSo) {
  auto observed = orphaned();
  observed.inPlace = true;
  observed.movesVolumes = true;
  observed.cancelRequested = true;
  EXPECT_EQ(dutyOf(Running, observed), Duty::Rest) << "it was cancelled when nobody knew, and may have moved";
  observed.outcomeGivenUp = true;
  EXPECT_EQ(dutyOf(Running, observed), Duty::AbandonMover);
  *observed.mover = {.failed = true, .lost = true};
  EXPECT_EQ(decide(observed), (Step{Failed, "SourceDied"}));
}

TEST(DecideMigration, FailsWhenTheTargetDiesBeforeTheGuestMoves) {
  for (const MigrationPhase phase : {Scheduling, Scheduled, PreparingTarget, TargetReady}) {
    auto observed = healthy(phase);
    observed.target->onDeadNode = true;
    EXPECT_EQ(decide(observed), (Step{Failed, "TargetFailed"}));
  }
}

TEST(DecideMigration, TellsTheMoverThatItsTargetIsDead) {
  auto observed = healthy(Running);
  observed.target->onDeadNode = true;
  EXPECT_EQ(decide(observed), (Step{Running, "TargetDied"}));
  EXPECT_EQ(dutyOf(Running, observed), Duty::TellTargetDead);
}

}  // namespace
}  // namespace godwit::controllers::migration
