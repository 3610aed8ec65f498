#include "controllers/evacuation/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::evacuation {
namespace {

using namespace std::chrono_literals;

Observed wanted() { return {.toLeave = true, .runs = true}; }

TEST(Evacuation, BeginsWithAMigration) { EXPECT_EQ(decide(wanted()), (Step{Duty::Begin, "MigrationUnderWay"})); }

TEST(Evacuation, IsNoneWhenNobodyAskedForIt) { EXPECT_EQ(decide({.toLeave = false, .runs = true}).duty, Duty::Rest); }

TEST(Evacuation, LeavesAGuestAloneThatEnds) { EXPECT_EQ(decide({.toLeave = true, .runs = false}), Step{}); }

TEST(Evacuation, IsForgottenWhenTheGuestHasLeft) {
  Observed seen = wanted();
  seen.left = seen.cordonLifted = true;
  EXPECT_EQ(decide(seen).duty, Duty::Forget);
}

TEST(Evacuation, IsCalledOffWithTheCordonEvenIfItCannotBeDone) {
  Observed seen = wanted();
  seen.cordonLifted = seen.underWay = true;
  seen.obstacle = "its disk is local";
  EXPECT_EQ(decide(seen).duty, Duty::CallOff);
}

TEST(Evacuation, LeavesNoMigrationBehindThatNobodyWants) {
  EXPECT_EQ(decide({.toLeave = false, .strays = true, .runs = true}).duty, Duty::CallOff);
}

TEST(Evacuation, HasOneMigrationAtATime) {
  Observed seen = wanted();
  seen.underWay = true;
  EXPECT_EQ(decide(seen), (Step{Duty::Rest, "MigrationUnderWay"}));
}

TEST(Evacuation, MayBeLeftToOthers) {
  Observed seen = wanted();
  seen.byOthers = true;
  EXPECT_EQ(decide(seen), (Step{Duty::Rest, "LeftToOthers"}));
}

TEST(Evacuation, SaysWhyAGuestCannotMove) {
  Observed seen = wanted();
  seen.obstacle = "its disk is local";
  const Step step = decide(seen);
  EXPECT_EQ(step, (Step{Duty::Rest, "NotMigratable"}));
  EXPECT_EQ(explain(step, seen), "the guest is to leave its node, and cannot: its disk is local");
}

TEST(Evacuation, WaitsLongerAfterEveryFailure) {
  Observed seen = wanted();
  seen.failures.count = 2;
  seen.failures.message = "MoveFailed";
  seen.failures.sinceLast = 39s;
  EXPECT_EQ(decide(seen), (Step{Duty::Wait, "MigrationBackoff"}));
  EXPECT_EQ(explain(decide(seen), seen),
            "2 migrations in a row failed, the last one with \"MoveFailed\"; the next one begins 40 seconds after it");
  seen.failures.sinceLast = 40s;
  EXPECT_EQ(decide(seen).duty, Duty::Begin);
}

TEST(Evacuation, WaitsNoLongerThanFiveMinutesAndABit) {
  EXPECT_EQ(patience(1), 20s);
  EXPECT_EQ(patience(5), 320s);
  EXPECT_EQ(patience(50), 320s);
}

}  // namespace
}  // namespace godwit::controllers::evacuation
