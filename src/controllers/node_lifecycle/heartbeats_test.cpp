#include "controllers/node_lifecycle/heartbeats.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::node_lifecycle {
namespace {

using namespace std::chrono_literals;

const Timestamp kNow = Timestamp(1'800'000'000s);

TEST(NodeHeartbeats, CountFromTheFirstLookWhateverTheLeaseSays) {
  Heartbeats heartbeats;
  EXPECT_EQ(heartbeats.silence("a", kNow - 24h, kNow), 0s);
  EXPECT_EQ(heartbeats.silence("a", kNow - 24h, kNow + 30s), 30s);
}

TEST(NodeHeartbeats, BeginAnewWithEveryRenewalEvenByAClockThatGoesBackwards) {
  Heartbeats heartbeats;
  heartbeats.silence("a", kNow, kNow);
  EXPECT_EQ(heartbeats.silence("a", kNow - 1h, kNow + 39s), 0s);
  EXPECT_EQ(heartbeats.silence("a", kNow - 1h, kNow + 49s), 10s);
}

TEST(NodeHeartbeats, KeepNodesApart) {
  Heartbeats heartbeats;
  heartbeats.silence("a", kNow, kNow);
  EXPECT_EQ(heartbeats.silence("b", kNow, kNow + 50s), 0s);
  EXPECT_EQ(heartbeats.silence("a", kNow, kNow + 50s), 50s);
}

TEST(NodeHeartbeats, GiveAForgottenNodeItsWholeTimeAgain) {
  Heartbeats heartbeats;
  heartbeats.silence("a", kNow, kNow);
  heartbeats.forget("a");
  EXPECT_EQ(heartbeats.silence("a", kNow, kNow + 50s), 0s);
}

}  // namespace
}  // namespace godwit::controllers::node_lifecycle
