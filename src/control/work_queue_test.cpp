#include "control/work_queue.hpp"

#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace godwit::control {
namespace {

using namespace std::chrono_literals;

class WorkQueueOnAManualClock : public testing::Test {
 protected:
  ManualClock clock;
  WorkQueue<std::string> queue{clock};
};

TEST_F(WorkQueueOnAManualClock, QueuesAKeyOnce) {
  queue.add("a");
  queue.add("a");
  EXPECT_EQ(queue.tryTake(), "a");
  EXPECT_EQ(queue.tryTake(), std::nullopt);
}

TEST_F(WorkQueueOnAManualClock, HoldsBackAKeyThatSomebodyWorksOn) {
  queue.add("a");
  ASSERT_EQ(queue.tryTake(), "a");
  queue.add("a");
  EXPECT_EQ(queue.tryTake(), std::nullopt);
  queue.done("a");
  EXPECT_EQ(queue.tryTake(), "a");
}

TEST_F(WorkQueueOnAManualClock, HandsOutADelayedKeyWhenItIsDue) {
  queue.addAt("a", clock.now() + 5s);
  EXPECT_EQ(queue.tryTake(), std::nullopt);
  clock.advance(5s);
  EXPECT_EQ(queue.tryTake(), "a");
}

TEST_F(WorkQueueOnAManualClock, KeepsTheEarlierOfTwoDates) {
  queue.addAt("a", clock.now() + 5s);
  queue.addAt("a", clock.now() + 9s);
  EXPECT_EQ(queue.nextDue(), clock.now() + 5s);
  queue.addAt("a", clock.now() + 2s);
  EXPECT_EQ(queue.nextDue(), clock.now() + 2s);
}

TEST_F(WorkQueueOnAManualClock, LetsTheCallerChooseAmongReadyKeys) {
  for (const char* key : {"a", "b", "c"}) queue.add(key);
  EXPECT_EQ(queue.tryTake(4), "b");
}

TEST(WorkQueue, WakesATakerWhenAKeyComes) {
  const SystemClock clock;
  WorkQueue<std::string> queue(clock);
  std::optional<std::string> taken;
  std::jthread taker([&](std::stop_token stop) { taken = queue.take(stop); });
  queue.add("a");
  taker.join();
  EXPECT_EQ(taken, "a");
}

TEST(WorkQueue, StopsATakerThatWaits) {
  const SystemClock clock;
  WorkQueue<std::string> queue(clock);
  queue.addAt("later", clock.now() + 1h);
  std::optional<std::string> taken;
  std::jthread taker([&](std::stop_token stop) { taken = queue.take(stop); });
  taker.request_stop();
  taker.join();
  EXPECT_EQ(taken, std::nullopt);
}

}  // namespace
}  // namespace godwit::control
