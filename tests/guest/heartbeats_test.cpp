#include "guest/heartbeats.hpp"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "base/scratch_directory_test.hpp"

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
  EXPECT_EQ(outage.gapsNs, (std::vector<std::int64_t>{10, 10, 40}));
  EXPECT_EQ(outage.heartbeats, 4u);
  EXPECT_EQ(outage.errors, 1u);
}

TEST(Heartbeats, OfOneGuestDoNotFillTheGapsOfAnother) {
  std::istringstream lines(
      "100 /a/g.log H 1 0\n"
      "120 /a/h.log H 1 0\n"
      "150 /a/g.log H 2 0\n"
      "160 /a/h.log H 2 0\n");
  EXPECT_EQ(measureOutage(lines).gapsNs, (std::vector<std::int64_t>{40, 50}));
}

TEST(Heartbeats, FromBeforeTheGivenTimeDoNotCount) {
  std::istringstream lines("100 /a/g.log H 1 0\n900 /a/g.log H 2 0\n905 /a/g.log H 3 0\n");
  EXPECT_EQ(measureOutage(lines, 900).gapsNs, (std::vector<std::int64_t>{5}));
}

// What it has begun to say on the first node would otherwise be heard when it is back there, long afterwards.
TEST(Heartbeats, AreHeardWholeOfAGuestThatMovesInTheMiddleOfOne) {
  Transcript transcript;
  std::vector<std::string> heard;
  const auto say = [&](const std::string& file, std::string_view piece) {
    transcript.hear(file, piece, [&](const std::string& line) { heard.push_back(line); });
  };
  say("/a/g.log", "H 00000001 0\nH 0000");
  say("/a/h.log", "H 00000007 0\n");
  say("/b/g.log", "0002 0\nH 00000003 0\n");
  say("/a/g.log", "H 00000004 0\n");
  EXPECT_EQ(heard,
            (std::vector<std::string>{"H 00000001 0", "H 00000007 0", "H 00000002 0", "H 00000003 0", "H 00000004 0"}));
}

TEST(Heartbeats, TellWhenEachGuestWasFirstHeard) {
  const ScratchDirectory directory;
  std::ofstream(directory.file("heard")) << "90 /a/early.log H 0 0\n"
                                            "100 /a/g.log SeaBIOS\n"
                                            "110 /b/h.log H 1 0\n"
                                            "120 /a/g.log H 1 0\n"
                                            "130 /a/early.log H 2 0\n"
                                            "140 /a/g.log H 2 0\n";
  EXPECT_EQ(awaitFirstHeartbeats(directory.file("heard"), 100, 2).value(),
            (std::map<std::string, std::int64_t>{{"g", 120}, {"h", 110}}));
}

// Looking at a byte more than a few times would take hours.
TEST(Heartbeats, AreHeardBehindAnyAmountOfNoise) {
  constexpr std::size_t kNoise = 16 << 20;
  const ScratchDirectory directory;
  {
    std::ofstream heard(directory.file("heard"), std::ios::binary);
    for (std::size_t i = 0; i < kNoise / 8; ++i) heard << "1 noise\n";
    heard << "100 /a/g.log " << std::string(kNoise, 'x') << "\n120 /a/g.log H 1 0\n";
  }
  EXPECT_EQ(awaitFirstHeartbeats(directory.file("heard"), 0, 1).value(),
            (std::map<std::string, std::int64_t>{{"g", 120}}));
}

}  // namespace
}  // namespace godwit::guest
