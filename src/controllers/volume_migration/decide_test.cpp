#include "controllers/volume_migration/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::volume_migration {
namespace {

using enum kinds::VolumeMigrationPhase;

// A volume migration that is going well; each test bends one thing.
Observed healthy(Phase phase) {
  Observed observed;
  observed.phase = phase;
  observed.allValid = true;
  if (phase == Running || phase == Succeeded) observed.migration = Observed::Migration{.begun = true};
  return observed;
}

TEST(DecideVolumeMigration, FailsAtOnceWhenAVolumeIsRefused) {
  auto observed = healthy(Unset);
  observed.rejected = true;
  EXPECT_EQ(decide(observed), (Step{Failed, "Rejected"}));
}

TEST(DecideVolumeMigration, WaitsForAnInstanceAndStartsByItself) {
  auto observed = healthy(Unset);
  observed.allValid = false;
  EXPECT_EQ(decide(observed), (Step{Pending, "WaitingForInstance"}));
  EXPECT_EQ(decide(healthy(Pending)), (Step{Scheduling, "Validated"}));
}

TEST(DecideVolumeMigration, CreatesOneMigration) {
  EXPECT_EQ(dutyOf(Scheduling, healthy(Scheduling)), Duty::CreateMigration);
  auto observed = healthy(Scheduling);
  observed.migration = Observed::Migration{};
  EXPECT_EQ(dutyOf(Scheduling, observed), Duty::Rest);
  EXPECT_EQ(decide(observed), (Step{Scheduling, "WaitingForMigration"}));
}

TEST(DecideVolumeMigration, GoesByTheInstanceWhoseMigrationCameAndWentUnseen) {
  auto observed = healthy(Scheduling);
  observed.instanceMoved = true;
  EXPECT_EQ(decide(observed), (Step{Running, "MigrationBegun"}));
}

TEST(DecideVolumeMigration, SucceedsWhenTheMachineHasFollowed) {
  auto observed = healthy(Running);
  observed.instanceMoved = true;
  observed.machineFollowed = false;
  EXPECT_EQ(decide(observed), (Step{Running, "UpdatingMachine"}));
  observed.machineFollowed = true;
  EXPECT_EQ(decide(observed), (Step{Succeeded, "Completed"}));
}

TEST(DecideVolumeMigration, BelievesTheInstanceWhenItsMigrationIsGone) {
  auto observed = healthy(Running);
  observed.migration.reset();
  EXPECT_EQ(decide(observed), (Step{Failed, "MigrationDeleted"}));
  observed.instanceMoved = true;
  EXPECT_EQ(decide(observed), (Step{Succeeded, "Completed"}));
}

TEST(DecideVolumeMigration, IsUnknownAsLongAsNobodyKnowsOfTheGuest) {
  auto observed = healthy(Running);
  observed.instanceUnreachable = true;
  EXPECT_EQ(decide(observed), (Step{Unknown, "NodeUnreachable"}));
  observed.phase = Unknown;
  EXPECT_EQ(decide(observed), (Step{Unknown, "NodeUnreachable"}));
  observed.instanceUnreachable = false;
  EXPECT_EQ(decide(observed), (Step{Running, "Moving"}));
  observed.migration->outcomeUnknown = true;
  EXPECT_EQ(decide(observed), (Step{Unknown, "NodeUnreachable"}));
}

TEST(DecideVolumeMigration, ClearsAwayWhatItMadeOnceItHasFailed) {
  for (const auto phase : {Unset, Pending, Scheduling, Running, Succeeded, Unknown})
    EXPECT_NE(dutyOf(phase, healthy(phase)), Duty::RemoveDestinations);
  EXPECT_EQ(dutyOf(Failed, healthy(Failed)), Duty::RemoveDestinations);
}

TEST(DecideVolumeMigration, LetsGoOfSourcesOnlyAfterSuccessIsOnRecord) {
  for (const auto phase : {Unset, Pending, Scheduling, Running, Failed, Unknown})
    EXPECT_NE(dutyOf(phase, healthy(phase)), Duty::ReclaimSources);
  EXPECT_EQ(dutyOf(Succeeded, healthy(Succeeded)), Duty::ReclaimSources);
}

TEST(DecideVolumeMigration, CallsItsMigrationOffBeforeItGoes) {
  for (const Phase phase : {Scheduling, Running, Unknown}) {
    auto observed = healthy(phase);
    observed.beingDeleted = true;
    observed.migration = Observed::Migration{.begun = true};
    EXPECT_EQ(dutyOf(phase, observed), Duty::CancelMigration);
  }
  auto observed = healthy(Scheduling);
  observed.beingDeleted = true;
  EXPECT_EQ(decide(observed), (Step{Failed, "Cancelled"}));
}

TEST(DecideVolumeMigration, IsNotOverWhileItsSourcesAreKeptInSync) {
  auto observed = healthy(Running);
  observed.instanceMoved = true;
  observed.wayBack = kinds::WayBackPhase::Open;
  EXPECT_EQ(decide(observed), (Step{Running, "KeptInSync"}));
  observed.wayBack = kinds::WayBackPhase::Returning;
  observed.instanceMoved = false;
  observed.migration.reset();
  EXPECT_EQ(decide(observed), (Step{Running, "KeptInSync"}));
}

TEST(DecideVolumeMigration, EndsWithItsWayBackWhateverHasBecomeOfTheInstance) {
  auto observed = healthy(Running);
  observed.migration.reset();
  observed.wayBack = kinds::WayBackPhase::Closed;
  EXPECT_EQ(decide(observed), (Step{Succeeded, "Completed"}));
  observed.wayBack = kinds::WayBackPhase::Returned;
  EXPECT_EQ(decide(observed), (Step{Failed, "RolledBack"}));
}

TEST(DecideVolumeMigration, IsCancelledByARollBackBeforeItHasMoved) {
  for (const Phase phase : {Scheduling, Running}) {
    auto observed = healthy(phase);
    observed.migration = Observed::Migration{.begun = true};
    observed.rollBack = true;
    EXPECT_EQ(dutyOf(phase, observed), Duty::CancelMigration);
    observed.instanceMoved = true;
    EXPECT_EQ(dutyOf(phase, observed), Duty::Rest);
  }
}

TEST(DecideVolumeMigration, TellsItsMigrationOfOptionsThatChange) {
  auto observed = healthy(Running);
  observed.migration->optionsDiffer = true;
  EXPECT_EQ(dutyOf(Running, observed), Duty::TellOptions);
}

}  // namespace
}  // namespace godwit::controllers::volume_migration
