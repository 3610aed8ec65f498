#include "guest/heartbeats.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace godwit::guest {
namespace {

TEST(Heartbeats, AreCountedAcrossTheFilesOfOneGuest) {
  std::istringstream lines(
      "100 /a/g.log H 00000001 0\n"
      "110 /a/g.log H 00000002 0\n"
      "150 /b/g.log H 00000003 0\n"
      "155 /b/g.log E 00000004 0\n"
      "160 /b/g.log H 00000005 0\n");
  const Outage outage = measureOutage(lines);
  EXPECT_EQ(outage.longestGapNs, 40);
  EXPECT_EQ(outage.heartbeats, 4u);
  EXPECT_EQ(outage.errors, 1u);
}

TEST(Heartbeats, OfOneGuestDoNotFillTheGapsOfAnother) {
  std::istringstream lines(
      "100 /a/g.log H 1 0\n"
      "120 /a/h.log H 1 0\n"
      "150 /a/g.log H 2 0\n"
      "160 /a/h.log H 2 0\n");
  EXPECT_EQ(measureOutage(lines).longestGapNs, 50);
}

TEST(Heartbeats, FromBeforeTheGivenTimeDoNotCount) {
  std::istringstream lines("100 /a/g.log H 1 0\n900 /a/g.log H 2 0\n905 /a/g.log H 3 0\n");
  EXPECT_EQ(measureOutage(lines, 900).longestGapNs, 5);
}

TEST(Heartbeats, TellWhenEachGuestWasFirstHeard) {
  std::istringstream lines(
      "90 /a/early.log H 0 0\n"
      "100 /a/g.log SeaBIOS\n"
      "110 /b/h.log H 1 0\n"
      "120 /a/g.log H 1 0\n"
      "130 /a/early.log H 2 0\n"
      "140 /a/g.log H 2 0\n");
  EXPECT_EQ(firstHeartbeats(lines, 100), (std::map<std::string, std::int64_t>{{"g", 120}, {"h", 110}}));
}

}  // namespace
}  // namespace godwit::guest
