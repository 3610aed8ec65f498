#include "kinds/eviction.hpp"

#include <gtest/gtest.h>

namespace godwit::kinds {
namespace {

using Way = Departure::Way;

VirtualMachineInstance guest(const std::string& strategy, bool movable) {
  VirtualMachineInstance instance;
  instance.spec.evictionStrategy = strategy;
  setCondition(instance.status.conditions,
               {"LiveMigratable",
                movable ? "True" : "False",
                movable ? "" : "DisksNotLiveMigratable",
                movable ? "" : "disk a is local",
                {}},
               {});
  return instance;
}

TEST(Departure, IsAMoveUnlessTheOwnerSaysOtherwise) {
  EXPECT_EQ(departureOf(guest("", true)), (Departure{Way::Moves, ""}));
  EXPECT_EQ(departureOf(guest("LiveMigrate", true)).way, Way::Moves);
  EXPECT_EQ(departureOf(guest("LiveMigrateIfPossible", true)).way, Way::Moves);
  EXPECT_EQ(departureOf(guest("None", true)).way, Way::Ends);
}

TEST(Departure, OfAGuestThatCannotMoveIsUpToItsOwner) {
  EXPECT_EQ(departureOf(guest("", false)), (Departure{Way::Stays, "DisksNotLiveMigratable: disk a is local"}));
  EXPECT_EQ(departureOf(guest("LiveMigrate", false)).way, Way::Stays);
  EXPECT_EQ(departureOf(guest("LiveMigrateIfPossible", false)).way, Way::Ends);
  EXPECT_EQ(departureOf(guest("None", false)).way, Way::Ends);
}

TEST(Departure, IsLeftToOthersWhereTheOwnerHasThem) {
  EXPECT_EQ(departureOf(guest("External", false)).way, Way::Moves);
}

TEST(Departure, WaitsForAGuestThatHasNotStarted) {
  EXPECT_EQ(departureOf({}), (Departure{Way::Stays, "it does not run yet"}));
}

}  // namespace
}  // namespace godwit::kinds
