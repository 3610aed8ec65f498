#include "base/bell.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace godwit {
namespace {

using namespace std::chrono_literals;

TEST(Bell, RemembersARingThatNobodyWaitedFor) {
  Bell bell;
  bell.ring();
  EXPECT_TRUE(bell.wait({}));
}

TEST(Bell, CountsSeveralRingsAsOne) {
  Bell bell;
  bell.ring();
  bell.ring();
  EXPECT_TRUE(bell.waitFor(0s, {}));
  EXPECT_FALSE(bell.waitFor(0s, {}));
}

TEST(Bell, WakesTheOneWhoWaits) {
  Bell bell;
  const std::jthread ringer([&] { bell.ring(); });
  EXPECT_TRUE(bell.waitFor(1h, {}));
}

TEST(Bell, IsNotWaitedForOnceStopIsRequested) {
  Bell bell;
  std::stop_source stop;
  const std::jthread stopper([&] { stop.request_stop(); });
  EXPECT_FALSE(bell.wait(stop.get_token()));
  EXPECT_FALSE(bell.waitFor(1h, stop.get_token()));
}

}  // namespace
}  // namespace godwit
