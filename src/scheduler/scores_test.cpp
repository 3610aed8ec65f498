#include "scheduler/scores.hpp"

#include <gtest/gtest.h>

namespace godwit::scheduler {
namespace {

constexpr std::int64_t kGibibyte = 1LL << 30;

NodeView plainNode(const std::string& name, const std::string& zone) {
  return {.name = name,
          .allocatable = {8 * kGibibyte, 4000, 110},
          .used = {},
          .taints = {},
          .places = {{"zone", zone}},
          .labels = {{"zone", zone}}};
}

kinds::PreferredNodes zonePreferred(std::int64_t weight, const std::string& zone) {
  return {weight, {{{"zone", object::Requirement::Operator::In, {zone}}}, {}}};
}

// Three nodes that are equally good for a pod without wishes.
struct Contest {
  std::vector<NodeView> nodes = {plainNode("node-1", "east"), plainNode("node-2", "east"), plainNode("node-3", "west")};
  kinds::PodSpec spec = {};
  Resources requests = {kGibibyte, 500, 1};
  Neighbourhood neighbourhood = {};

  std::string best() const {
    std::vector<const NodeView*> all;
    for (const NodeView& one : nodes) all.push_back(&one);
    return bestOf(all, {.spec = spec, .requests = requests, .claims = {}, .neighbourhood = neighbourhood}).name;
  }
};

const Tally kOneEast = {"zone", {{"east", 1}}};

TEST(BestOf, IsTheFirstOfEquals) { EXPECT_EQ(Contest().best(), "node-1"); }

TEST(BestOf, HasTheMostRoomLeftOverCpuAndMemory) {
  Contest contest;
  contest.nodes[0].used = {4 * kGibibyte, 0, 1};
  contest.nodes[1].used = {2 * kGibibyte, 500, 1};
  contest.nodes[2].used = {0, 3000, 1};

  EXPECT_EQ(contest.best(), "node-2");
}

TEST(BestOf, ComparesSharesAndNotAmounts) {
  Contest contest;
  contest.nodes[0].used.memoryBytes = 4 * kGibibyte;
  contest.nodes[1].used.memoryBytes = 2 * kGibibyte;
  contest.nodes[2].allocatable.memoryBytes = 100 * kGibibyte;
  contest.nodes[2].used.memoryBytes = 60 * kGibibyte;

  EXPECT_EQ(contest.best(), "node-2");
}

TEST(BestOf, LeavesOutWhatANodeSaysNothingOf) {
  Contest contest;
  contest.nodes[2].allocatable.milliCpu = 0;
  contest.nodes[0].used.milliCpu = contest.nodes[1].used.milliCpu = 2000;

  EXPECT_EQ(contest.best(), "node-3");
}

TEST(BestOf, HasTheFewestTaintsThatAskToBeLeftAlone) {
  Contest contest;
  contest.nodes[0].taints = std::vector<kinds::Taint>{{"disk", "slow", "PreferNoSchedule"}};
  EXPECT_EQ(contest.best(), "node-2");

  contest.spec.tolerations = {{.key = "disk", .op = "Exists", .value = "", .effect = "PreferNoSchedule"}};
  EXPECT_EQ(contest.best(), "node-1");
}

TEST(BestOf, MatchesThePreferencesThatWeighMost) {
  Contest contest;
  contest.spec.affinity = kinds::Affinity{
      kinds::NodeAffinity{{}, {zonePreferred(10, "east"), zonePreferred(60, "west"), zonePreferred(40, "east")}},
      {},
      {}};
  EXPECT_EQ(contest.best(), "node-3");

  contest.spec.affinity->nodeAffinity->preferred.push_back(zonePreferred(11, "east"));
  EXPECT_EQ(contest.best(), "node-1");
}

TEST(BestOf, ANodeThatIsPreferredMayHaveLessRoom) {
  Contest contest;
  contest.spec.affinity = kinds::Affinity{kinds::NodeAffinity{{}, {zonePreferred(1, "west")}}, {}, {}};
  contest.nodes[2].used = {7 * kGibibyte, 3500, 1};

  EXPECT_EQ(contest.best(), "node-3");
}

TEST(BestOf, IsAwayFromWhomThePodHadBetterAvoid) {
  Contest contest;
  contest.neighbourhood.leanings = {{&kOneEast, -1}};

  EXPECT_EQ(contest.best(), "node-3");
}

TEST(BestOf, CountsEveryPodThatThePodHadBetterBeWith) {
  const Tally counts = {"zone", {{"east", 2}, {"west", 3}}};
  Contest contest;
  contest.neighbourhood.leanings = {{&counts, 5}};
  EXPECT_EQ(contest.best(), "node-3");

  contest.neighbourhood.leanings.push_back({&kOneEast, 6});
  EXPECT_EQ(contest.best(), "node-1");
}

TEST(BestOf, HasTheFewestSiblings) {
  Contest contest;
  const Siblings siblings = {{&contest.nodes[0], 2}, {&contest.nodes[1], 1}, {&contest.nodes[2], 2}};
  contest.neighbourhood.siblings = &siblings;

  EXPECT_EQ(contest.best(), "node-2");
}

}  // namespace
}  // namespace godwit::scheduler
