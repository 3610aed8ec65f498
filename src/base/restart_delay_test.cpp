#include "base/restart_delay.hpp"

#include <gtest/gtest.h>

namespace godwit {
namespace {

using namespace std::chrono_literals;

TEST(RestartDelay, DoublesWhileTheCommandDiesYoungAndStopsAtFiveSeconds) {
  RestartDelay delay;
  for (const auto expected : {200ms, 400ms, 800ms, 1'600ms, 3'200ms, 5'000ms, 5'000ms})
    EXPECT_EQ(delay.after(1s), expected);
}

TEST(RestartDelay, IsShortAgainForACommandThatLivedLong) {
  RestartDelay delay;
  delay.after(1s);
  delay.after(1s);
  EXPECT_EQ(delay.after(10s), 200ms);
  EXPECT_EQ(delay.after(1s), 400ms);
}

}  // namespace
}  // namespace godwit
