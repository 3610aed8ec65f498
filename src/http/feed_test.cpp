#include "http/feed.hpp"

#include <gtest/gtest.h>

namespace godwit::http {
namespace {

TEST(Feed, WakesOnceThereIsSomethingToTake) {
  Feed feed;
  int woken = 0;
  feed.whenReady([&] { ++woken; });
  EXPECT_EQ(woken, 0);

  feed.add("a");
  feed.add("b");

  EXPECT_EQ(woken, 1);
  EXPECT_EQ(feed.take().chunks.size(), 2u);
}

TEST(Feed, WakesAtOnceIfThereIsSomethingAlready) {
  Feed feed;
  feed.end();
  int woken = 0;
  feed.whenReady([&] { ++woken; });

  EXPECT_EQ(woken, 1);
  EXPECT_TRUE(feed.take().ended);
}

TEST(Feed, IsFullUntilSomebodyTakes) {
  Feed feed;
  feed.add(std::string(4 << 20, 'x'));
  EXPECT_TRUE(feed.isFull());

  feed.take();

  EXPECT_FALSE(feed.isFull());
}

TEST(Feed, DoesNotWakeWhoAbandonedIt) {
  Feed feed;
  int woken = 0;
  feed.whenReady([&] { ++woken; });
  feed.abandon();

  feed.add("a");

  EXPECT_EQ(woken, 0);
  EXPECT_TRUE(feed.isAbandoned());
}

}  // namespace
}  // namespace godwit::http
