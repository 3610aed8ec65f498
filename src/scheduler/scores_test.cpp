#include "scheduler/scores.hpp"

#include <gtest/gtest.h>

namespace godwit::scheduler {
namespace {

constexpr std::int64_t kGiB = 1LL << 30;

NodeView node(const std::string& name, const std::string& zone) {
  return {.name = name, .labels = {{"zone", zone}}, .taints = {}, .allocatable = {8 * kGiB, 4000, 110}, .used = {}};
}

kinds::PreferredNodes zonePreferred(std::int64_t weight, const std::string& zone) {
  return {weight, {{{"zone", object::Requirement::Operator::In, {zone}}}, {}}};
}

// Three nodes that are equally good for a pod without wishes.
struct World {
  std::vector<NodeView> nodes = {node("node-1", "east"), node("node-2", "east"), node("node-3", "west")};
  kinds::PodSpec spec = {};
  Resources requests = {kGiB, 500, 1};
  Neighbourhood neighbourhood = {};

  std::string best() const {
    std::vector<const NodeView*> all;
    for (const NodeView& one : nodes) all.push_back(&one);
    return bestOf(all, {.spec = spec, .requests = requests, .claims = {}, .neighbourhood = neighbourhood}).name;
  }
};

const Tally kEast = {{"east", 1}};

TEST(BestOf, IsTheFirstOfEquals) { EXPECT_EQ(World().best(), "node-1"); }

TEST(BestOf, HasTheMostRoomLeftOverCpuAndMemory) {
  World world;
  world.nodes[0].used = {4 * kGiB, 0, 1};
  world.nodes[1].used = {2 * kGiB, 500, 1};
  world.nodes[2].used = {0, 3000, 1};

  EXPECT_EQ(world.best(), "node-2");
}

TEST(BestOf, ComparesSharesAndNotAmounts) {
  World world;
  world.nodes[0].used.memoryBytes = 4 * kGiB;
  world.nodes[1].used.memoryBytes = 2 * kGiB;
  world.nodes[2].allocatable.memoryBytes = 100 * kGiB;
  world.nodes[2].used.memoryBytes = 60 * kGiB;

  EXPECT_EQ(world.best(), "node-2");
}

TEST(BestOf, LeavesOutWhatANodeSaysNothingOf) {
  World world;
  world.nodes[2].allocatable.milliCpu = 0;
  world.nodes[0].used.milliCpu = world.nodes[1].used.milliCpu = 2000;

  EXPECT_EQ(world.best(), "node-3");
}

TEST(BestOf, HasTheFewestTaintsThatAskToBeLeftAlone) {
  World world;
  world.nodes[0].taints = {{"disk", "slow", "PreferNoSchedule"}};
  EXPECT_EQ(world.best(), "node-2");

  world.spec.tolerations = {{.key = "disk", .op = "Exists", .value = "", .effect = "PreferNoSchedule"}};
  EXPECT_EQ(world.best(), "node-1");
}

TEST(BestOf, MatchesThePreferencesThatWeighMost) {
  World world;
  world.spec.affinity = kinds::Affinity{
      kinds::NodeAffinity{{}, {zonePreferred(10, "east"), zonePreferred(60, "west"), zonePreferred(40, "east")}},
      {},
      {}};
  EXPECT_EQ(world.best(), "node-3");

  world.spec.affinity->nodeAffinity->preferred.push_back(zonePreferred(11, "east"));
  EXPECT_EQ(world.best(), "node-1");
}

TEST(BestOf, ANodeThatIsPreferredMayHaveLessRoom) {
  World world;
  world.spec.affinity = kinds::Affinity{kinds::NodeAffinity{{}, {zonePreferred(1, "west")}}, {}, {}};
  world.nodes[2].used = {7 * kGiB, 3500, 1};

  EXPECT_EQ(world.best(), "node-3");
}

TEST(BestOf, IsAwayFromWhomThePodHadBetterAvoid) {
  World world;
  world.neighbourhood.leanings = {{{"zone", &kEast}, -1}};

  EXPECT_EQ(world.best(), "node-3");
}

TEST(BestOf, CountsEveryPodThatThePodHadBetterBeWith) {
  const Tally counts = {{"east", 2}, {"west", 3}};
  World world;
  world.neighbourhood.leanings = {{{"zone", &counts}, 5}};
  EXPECT_EQ(world.best(), "node-3");

  world.neighbourhood.leanings.push_back({{"zone", &kEast}, 6});
  EXPECT_EQ(world.best(), "node-1");
}

TEST(BestOf, HasTheFewestSiblings) {
  const Tally siblings = {{"node-1", 2}, {"node-2", 1}, {"node-3", 2}};
  World world;
  world.neighbourhood.siblings = &siblings;

  EXPECT_EQ(world.best(), "node-2");
}

}  // namespace
}  // namespace godwit::scheduler
