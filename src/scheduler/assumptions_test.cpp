#include "scheduler/assumptions.hpp"

#include <gtest/gtest.h>

namespace godwit::scheduler {
namespace {

const object::Key kPod = {"default", "web"};
const object::Key kOther = {"default", "db"};

// Keeps pods in mind, and counts how often room became free.
struct World {
  World() {
    assumptions.onRelease([this] { ++released; });
  }

  bool assume(const object::Key& pod, const std::string& node) {
    return assumptions.assume(pod, {"uid", node}, assumptions.read().version);
  }

  Assumptions assumptions;
  int released = 0;
};

TEST(Assumptions, RefuseAnAssumptionThatDoesNotKnowTheLatest) {
  World world;
  const auto reading = world.assumptions.read();
  ASSERT_TRUE(world.assume(kOther, "node-1"));

  EXPECT_FALSE(world.assumptions.assume(kPod, {"uid", "node-1"}, reading.version));
  EXPECT_FALSE(world.assumptions.read().all.contains(kPod));
}

TEST(Assumptions, DoNotAgeWhenTheSameIsAssumedAgain) {
  World world;
  world.assume(kPod, "node-1");
  const auto reading = world.assumptions.read();

  ASSERT_TRUE(world.assume(kPod, "node-1"));

  EXPECT_EQ(world.assumptions.read().version, reading.version);
}

TEST(Assumptions, AnnounceTheRoomOfAPodThatGoesElsewhere) {
  World world;
  world.assume(kPod, "node-1");
  EXPECT_EQ(world.released, 0);

  world.assume(kPod, "node-2");

  EXPECT_EQ(world.released, 1);
  EXPECT_EQ(world.assumptions.read().all.at(kPod).node, "node-2");
}

TEST(Assumptions, AnnounceTheRoomOfAPodThatGoesNowhere) {
  World world;
  world.assume(kPod, "node-1");

  world.assumptions.release(kPod);
  world.assumptions.release(kPod);

  EXPECT_EQ(world.released, 1);
}

TEST(Assumptions, SayNothingWhenTheCacheTakesOver) {
  World world;
  world.assume(kPod, "node-1");

  world.assumptions.drop(kPod);

  EXPECT_EQ(world.released, 0);
  EXPECT_TRUE(world.assumptions.read().all.empty());
}

}  // namespace
}  // namespace godwit::scheduler
