#include "node/growing/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::node::growing {
namespace {

TEST(DecideGrowing, MakesAVolumeLargerThatNoGuestHas) { EXPECT_EQ(decide({}), Duty::Grow); }

TEST(DecideGrowing, GoesThroughTheGuestThatHasTheVolume) {
  EXPECT_EQ(decide({.usedHere = true, .guestSeen = true}), Duty::GrowUnderGuest);
}

TEST(DecideGrowing, WaitsForAGuestThatIsStarting) { EXPECT_EQ(decide({.usedHere = true}), Duty::Wait); }

TEST(DecideGrowing, WaitsUntilALunHasNoGuest) {
  EXPECT_EQ(decide({.usedHere = true, .guestSeen = true, .growsUnderGuest = false}), Duty::Wait);
  EXPECT_EQ(decide({.growsUnderGuest = false}), Duty::Grow);
}

TEST(DecideGrowing, LeavesAVolumeToTheNodeThatHasItsGuest) {
  EXPECT_EQ(decide({.usedElsewhere = true}), Duty::LeaveToOther);
  EXPECT_EQ(decide({.usedElsewhere = true, .guestSeen = true}), Duty::LeaveToOther) << "left over from a move";
}

TEST(DecideGrowing, WaitsUntilAMoveIsOver) {
  EXPECT_EQ(decide({.userMoves = true, .usedHere = true, .guestSeen = true}), Duty::Wait);
  EXPECT_EQ(decide({.userMoves = true}), Duty::Wait);
}

}  // namespace
}  // namespace godwit::node::growing
