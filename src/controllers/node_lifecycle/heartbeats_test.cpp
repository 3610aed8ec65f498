#include "controllers/node_lifecycle/heartbeats.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::node_lifecycle {
namespace {

using namespace std::chrono_literals;

const Timestamp kBegin = Timestamp(1'800'000'000s);

TEST(NodeHeartbeats, CountFromTheFirstLookWhateverTheLeaseSays) {
  Heartbeats heartbeats;
  EXPECT_EQ(heartbeats.silence("a", kBegin - 24h, kBegin), 0s);
  EXPECT_EQ(heartbeats.silence("a", kBegin - 24h, kBegin + 30s), 30s);
}

TEST(NodeHeartbeats, BeginAnewWithEveryRenewalEvenByAClockThatGoesBackwards) {
  Heartbeats heartbeats;
  heartbeats.silence("a", kBegin, kBegin);
  EXPECT_EQ(heartbeats.silence("a", kBegin - 1h, kBegin + 39s), 0s);
  EXPECT_EQ(heartbeats.silence("a", kBegin - 1h, kBegin + 49s), 10s);
}

TEST(NodeHeartbeats, KeepNodesApart) {
  Heartbeats heartbeats;
  heartbeats.silence("a", kBegin, kBegin);
  EXPECT_EQ(heartbeats.silence("b", kBegin, kBegin + 50s), 0s);
  EXPECT_EQ(heartbeats.silence("a", kBegin, kBegin + 50s), 50s);
}

TEST(NodeHeartbeats, GiveAForgottenNodeItsWholeTimeAgain) {
  Heartbeats heartbeats;
  heartbeats.silence("a", kBegin, kBegin);
  heartbeats.forget("a");
  EXPECT_EQ(heartbeats.silence("a", kBegin, kBegin + 50s), 0s);
}

}  // namespace
}  // namespace godwit::controllers::node_lifecycle
