#include "controllers/volume_migration/way_back.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::volume_migration::way_back {
namespace {

using enum kinds::WayBackPhase;

// A way back that is going well; each test bends one thing.
Observed healthy(Phase phase) {
  Observed observed;
  observed.phase = phase;
  observed.reason = "TimeIsUp";
  observed.wanted = observed.stayed = true;
  observed.migration = Observed::Migration{.inSync = phase != Copying};
  return observed;
}

TEST(DecideWayBack, IsMadeWhenItIsWantedOnly) {
  auto observed = healthy(Unset);
  observed.migration.reset();
  EXPECT_EQ(decide(observed), (Step{Copying, "CopyingBack"}));
  observed.wanted = false;
  EXPECT_EQ(decide(observed).phase, Unset);
  EXPECT_EQ(dutyOf(Copying), Duty::Keep);
}

TEST(DecideWayBack, OpensWhenTheSourcesAreEqualAgainAndClosesWhenTheTimeIsUp) {
  auto observed = healthy(Copying);
  EXPECT_EQ(decide(observed).phase, Copying);
  observed.migration->inSync = true;
  EXPECT_EQ(decide(observed), (Step{Open, "InSync"}));
  observed = healthy(Open);
  EXPECT_EQ(decide(observed), (Step{Open, "InSync"}));
  observed.timeIsUp = true;
  EXPECT_EQ(decide(observed), (Step{Closing, "TimeIsUp"}));
  EXPECT_EQ(dutyOf(Closing), Duty::Remove);
}

TEST(DecideWayBack, IsClosedForGoodOnceItsMigrationIsOver) {
  auto observed = healthy(Closing);
  EXPECT_EQ(decide(observed).phase, Closing);
  observed.migration->failed = true;
  EXPECT_EQ(decide(observed), (Step{Closed, "TimeIsUp"}));
  observed.migration.reset();
  EXPECT_EQ(decide(observed), (Step{Closed, "TimeIsUp"}));
}

TEST(DecideWayBack, IsGoneWhenItIsAskedForEvenAsTheTimeIsUp) {
  for (const Phase phase : {Copying, Open}) {
    auto observed = healthy(phase);
    observed.rollBack = observed.timeIsUp = observed.guestIsToGo = true;
    EXPECT_EQ(decide(observed), (Step{Returning, "RollBackAskedFor"}));
  }
  EXPECT_EQ(dutyOf(Returning), Duty::Release);
}

TEST(DecideWayBack, WaitsForItsMigrationBeforeItIsGone) {
  auto observed = healthy(Copying);
  observed.migration.reset();
  observed.rollBack = true;
  EXPECT_EQ(decide(observed).phase, Copying);
}

TEST(DecideWayBack, DoesNotCloseUnderAGuestThatMayBeOnIt) {
  auto observed = healthy(Returning);
  observed.timeIsUp = observed.guestIsToGo = true;
  EXPECT_EQ(decide(observed).phase, Returning);
  observed.migration.reset();
  observed.stayed = false;  // nobody knows
  EXPECT_EQ(decide(observed).phase, Returning);
  observed.stayed = true;
  EXPECT_EQ(decide(observed), (Step{Closed, "MigrationDeleted"}));
}

TEST(DecideWayBack, EndsWhenTheGuestIsBack) {
  auto observed = healthy(Returning);
  observed.returned = true;
  EXPECT_EQ(decide(observed), (Step{Returned, "RolledBack"}));
  observed.returned = false;
  observed.migration->succeeded = true;
  EXPECT_EQ(decide(observed), (Step{Returned, "RolledBack"}));
}

TEST(DecideWayBack, GivesWayToAnotherMigration) {
  for (const Phase phase : {Copying, Open}) {
    auto observed = healthy(phase);
    observed.guestIsToGo = true;
    EXPECT_EQ(decide(observed), (Step{Closing, "GuestIsToGo"}));
  }
}

TEST(DecideWayBack, IsClosedWhenTheCopyIsLost) {
  auto observed = healthy(Copying);
  observed.migration->failed = true;
  EXPECT_EQ(decide(observed), (Step{Closed, "CopyFailed"}));
  observed.phase = Open;
  EXPECT_EQ(decide(observed), (Step{Closed, "CopyLost"}));
  observed.phase = Returning;
  EXPECT_EQ(decide(observed), (Step{Closed, "ReturnFailed"}));
  observed = healthy(Open);
  observed.migration.reset();
  EXPECT_EQ(decide(observed), (Step{Closed, "MigrationDeleted"}));
}

}  // namespace
}  // namespace godwit::controllers::volume_migration::way_back
