#include "controllers/early_migration/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::early_migration {
namespace {

using enum kinds::EarlyMigrationPhase;
using kinds::MigrationPhase;

Observed healthy(Phase phase) {
  Observed observed;
  observed.phase = phase;
  if (phase == Running) observed.migration = Observed::Migration{.phase = MigrationPhase::Running};
  return observed;
}

TEST(DecideEarlyMigration, IsOnRecordBeforeItsMigrationIsMade) {
  EXPECT_EQ(decide(healthy(Unset)), (Step{Pending, "Accepted"}));
  EXPECT_EQ(dutyOf(Unset, healthy(Unset)), Duty::Rest);
  EXPECT_EQ(dutyOf(Pending, healthy(Pending)), Duty::CreateMigration);
}

TEST(DecideEarlyMigration, DoesNotBeginWhatIsBeingDeleted) {
  auto observed = healthy(Pending);
  observed.beingDeleted = true;
  EXPECT_EQ(dutyOf(Pending, observed), Duty::Rest);
}

TEST(DecideEarlyMigration, SaysWhatBecomesOfItsMigration) {
  const std::pair<MigrationPhase, Step> rows[] = {{MigrationPhase::Pending, {Pending, "WaitingForMigration"}},
                                                  {MigrationPhase::Scheduling, {Running, "Moving"}},
                                                  {MigrationPhase::Running, {Running, "Moving"}},
                                                  {MigrationPhase::Succeeded, {Succeeded, "Completed"}},
                                                  {MigrationPhase::Failed, {Failed, "MigrationFailed"}}};
  for (const auto& [phase, step] : rows) {
    auto observed = healthy(Pending);
    observed.migration = Observed::Migration{.phase = phase};
    EXPECT_EQ(decide(observed), step);
  }
}

TEST(DecideEarlyMigration, FailsWhenItsMigrationIsTakenAwayAndDoesNotMakeAnother) {
  auto observed = healthy(Running);
  observed.migration.reset();
  EXPECT_EQ(decide(observed), (Step{Failed, "MigrationDeleted"}));
  EXPECT_EQ(dutyOf(Failed, observed), Duty::Rest);
}

}  // namespace
}  // namespace godwit::controllers::early_migration
