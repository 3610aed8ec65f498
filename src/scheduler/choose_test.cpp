#include "scheduler/choose.hpp"

#include <gtest/gtest.h>

#include "kinds/words.hpp"

namespace godwit::scheduler {
namespace {

using State = ClaimView::State;

constexpr std::int64_t kGiB = 1LL << 30;

kinds::NodeSelector nodesWith(const std::string& label, const std::string& value) {
  return {{{{{label, object::Requirement::Operator::In, {value}}}, {}}}};
}

kinds::NodeSelector nodeCalled(const std::string& name) {
  return nodesWith(std::string(kinds::words::kHostname), name);
}

std::vector<kinds::Taint> withNodeTaintAnd(std::vector<kinds::Taint> taints) {
  taints.insert(taints.begin(), {std::string(kinds::words::kNodeTaint), "", "NoSchedule"});
  return taints;
}

NodeView node(const std::string& name, const std::string& zone) {
  const object::Labels labels = {{std::string(kinds::words::kHostname), name}, {"zone", zone}};
  return {.name = name,
          .allocatable = {8 * kGiB, 4000, 110},
          .used = {},
          .taints = withNodeTaintAnd({}),
          .places = placesOf(labels),
          .labels = labels};
}

// Three nodes that are all the same, and a pod that any of them would take.
struct World {
  std::vector<NodeView> nodes = {node("node-1", "east"), node("node-2", "east"), node("node-3", "west")};
  kinds::PodSpec spec = {
      .nodeName = "",
      .nodeSelector = {},
      .affinity = {},
      .tolerations = {{.key = std::string(kinds::words::kNodeTaint), .op = "Exists", .value = "", .effect = ""}},
      .volumes = {},
      .containers = {}};
  Resources requests = {kGiB, 500, 1};
  std::vector<ClaimView> claims = {};
  Neighbourhood neighbourhood = {};

  Verdict verdict() const {
    std::vector<const NodeView*> all;
    for (const NodeView& one : nodes) all.push_back(&one);
    return choose({.spec = spec, .requests = requests, .claims = claims, .neighbourhood = neighbourhood},
                  {.all = all, .promising = all});
  }

  // "chosen", or what is said of a node when it is the only one, as "word: sentence".
  std::string about(const std::string& name) const {
    if (verdict().node == name) return "chosen";
    World alone = *this;
    std::erase_if(alone.nodes, [&](const NodeView& one) { return one.name != name; });
    const Verdict verdict = alone.verdict();
    if (verdict.refusals.size() != 1) return "outscored";
    return std::string(verdict.refusals[0].word) + ": " + verdict.refusals[0].sentence;
  }
};

World healthy() { return {}; }

const Tally kEast = {"zone", {{"east", 1}}};
const Tally kWest = {"zone", {{"west", 1}}};
const Tally kNowhere = {"zone"};

TEST(Choose, TakesTheFirstByNameAmongEquals) {
  const Verdict verdict = healthy().verdict();

  EXPECT_EQ(verdict.node, "node-1");
  EXPECT_EQ(verdict.summary, "");
}

TEST(Choose, LeavesCordonedNodesAlone) {
  World world = healthy();
  world.nodes[0].unschedulable = true;
  EXPECT_EQ(world.about("node-1"), "Cordoned: node(s) were unschedulable");

  world.spec.tolerations.push_back(
      {.key = "node.kubernetes.io/unschedulable", .op = "Exists", .value = "", .effect = ""});
  EXPECT_EQ(world.about("node-1"), "chosen");
}

TEST(Choose, LeavesNodesAloneThatAreNotReady) {
  World world = healthy();
  world.nodes[0].ready = false;

  EXPECT_EQ(world.about("node-1"), "NotReady: node(s) were not ready");
}

TEST(Choose, RespectsTaints) {
  World world = healthy();
  world.nodes[0].taints = withNodeTaintAnd({{"disk", "slow", "NoExecute"}});

  EXPECT_EQ(world.about("node-1"), "UntoleratedTaint: node(s) had untolerated taint {disk: slow}");
}

TEST(Choose, DoesNotMindATaintThatIsOnlyAWishWhenThereIsNothingBetter) {
  World world = healthy();
  world.nodes.resize(1);
  world.nodes[0].taints = withNodeTaintAnd({{"disk", "slow", "PreferNoSchedule"}});

  EXPECT_EQ(world.about("node-1"), "chosen");
}

TEST(Choose, RespectsTheNodeSelector) {
  World world = healthy();
  world.spec.nodeSelector = {{"zone", "west"}};

  EXPECT_EQ(world.about("node-1"), "NodeAffinity: node(s) didn't match Pod's node affinity/selector");
  EXPECT_EQ(world.about("node-3"), "chosen");
}

TEST(Choose, RespectsNodeAffinity) {
  World world = healthy();
  world.spec.affinity = kinds::Affinity{kinds::NodeAffinity{nodesWith("zone", "west")}, {}, {}};

  EXPECT_EQ(world.about("node-1"), "NodeAffinity: node(s) didn't match Pod's node affinity/selector");
  EXPECT_EQ(world.about("node-3"), "chosen");
}

TEST(Choose, GivesAwayTheLastByteOfMemoryAndNoMore) {
  World world = healthy();
  world.nodes.resize(1);
  world.nodes[0].used.memoryBytes = 7 * kGiB;
  EXPECT_EQ(world.about("node-1"), "chosen");

  world.nodes[0].used.memoryBytes += 1;
  EXPECT_EQ(world.about("node-1"), "InsufficientMemory: Insufficient memory");
}

TEST(Choose, GivesAwayTheLastCpuAndNoMore) {
  World world = healthy();
  world.nodes.resize(1);
  world.nodes[0].used.milliCpu = 3500;
  EXPECT_EQ(world.about("node-1"), "chosen");

  world.nodes[0].used.milliCpu += 1;
  EXPECT_EQ(world.about("node-1"), "InsufficientCpu: Insufficient cpu");
}

TEST(Choose, TakesNoMorePodsThanTheNodeDoes) {
  World world = healthy();
  world.nodes.resize(1);
  world.nodes[0].used.pods = 109;
  EXPECT_EQ(world.about("node-1"), "chosen");

  world.nodes[0].used.pods = 110;
  EXPECT_EQ(world.about("node-1"), "TooManyPods: Too many pods");
}

TEST(Choose, PutsAPodThatAsksForNothingEvenOnAFullNode) {
  World world = healthy();
  world.nodes.resize(1);
  world.nodes[0].used = {9 * kGiB, 5000, 1};
  world.requests = {0, 0, 1};

  EXPECT_EQ(world.about("node-1"), "chosen");
}

TEST(Choose, GoesWhereTheVolumesCanBeReached) {
  World world = healthy();
  world.claims = {{.name = "disk", .state = State::Bound, .reachableFrom = nodeCalled("node-2")}};

  EXPECT_EQ(world.about("node-1"), "VolumeNodeAffinity: node(s) had volume node affinity conflict");
  EXPECT_EQ(world.about("node-2"), "chosen");
}

TEST(Choose, GoesWhereItsClaimWasPromisedTo) {
  World world = healthy();
  world.claims = {{.name = "disk", .state = State::Waiting, .selectedNode = "node-3", .canBeMade = true}};

  EXPECT_EQ(world.about("node-1"), "VolumeBinding: node(s) didn't find available persistent volumes to bind");
  EXPECT_EQ(world.about("node-3"), "chosen");
}

TEST(Choose, GoesWhereAFreeVolumeIsWhenNoneCanBeMade) {
  World world = healthy();
  world.claims = {{.name = "disk", .state = State::Waiting, .canBeMade = false, .freeVolumes = {nodeCalled("node-2")}}};

  EXPECT_EQ(world.about("node-1"), "VolumeBinding: node(s) didn't find available persistent volumes to bind");
  EXPECT_EQ(world.about("node-2"), "chosen");
}

TEST(Choose, KeepsAwayFromWhomThePodAvoids) {
  World world = healthy();
  world.neighbourhood.avoided = {&kEast};

  EXPECT_EQ(world.about("node-2"), "PodAntiAffinity: node(s) didn't match pod anti-affinity rules");
  EXPECT_EQ(world.about("node-3"), "chosen");
}

TEST(Choose, KeepsAwayFromWhomAvoidsThePod) {
  World world = healthy();
  world.neighbourhood.defended = {&kEast};

  EXPECT_EQ(world.about("node-2"),
            "ExistingPodsAntiAffinity: node(s) didn't satisfy existing pods anti-affinity rules");
  EXPECT_EQ(world.about("node-3"), "chosen");
}

TEST(Choose, GoesNearWhomThePodSeeks) {
  World world = healthy();
  world.neighbourhood.sought = {&kWest};

  EXPECT_EQ(world.about("node-1"), "PodAffinity: node(s) didn't match pod affinity rules");
  EXPECT_EQ(world.about("node-3"), "chosen");
}

TEST(Choose, LetsTheFirstOfAGroupBeginAnywhereItCouldBeFound) {
  World world = healthy();
  world.neighbourhood.sought = {&kNowhere};
  world.neighbourhood.firstOfItsKind = true;
  world.nodes[0].places.clear();

  EXPECT_EQ(world.about("node-1"), "PodAffinity: node(s) didn't match pod affinity rules");
  EXPECT_EQ(world.about("node-2"), "chosen");
}

TEST(Choose, SumsUpTheRefusalsInKubeSchedulersWords) {
  World world = healthy();
  world.nodes[0].unschedulable = true;
  world.nodes[1].used.memoryBytes = world.nodes[2].used.memoryBytes = 8 * kGiB;

  EXPECT_EQ(world.verdict().summary, "0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient memory.");
}

TEST(Choose, SaysThatThereAreNoNodes) {
  World world = healthy();
  world.nodes.clear();

  EXPECT_EQ(world.verdict().summary, "no nodes available to schedule pods");
}

// Many equal nodes, of which only those that are named have room.
std::string chosenAmongMany(std::size_t count, const std::vector<std::size_t>& roomy, std::size_t start) {
  World world = healthy();
  world.nodes.assign(count, node("", "east"));
  std::vector<const NodeView*> all;
  for (std::size_t i = 0; i < count; ++i) {
    world.nodes[i].name = std::to_string(i);
    world.nodes[i].used.pods = 110;
    all.push_back(&world.nodes[i]);
  }
  for (const std::size_t i : roomy) world.nodes[i].used.pods = 0;
  return choose({.spec = world.spec, .requests = world.requests, .claims = {}, .neighbourhood = {}},
                {.all = all, .promising = all, .start = start})
      .node;
}

TEST(ChooseAmongMany, FindsTheOnlyOneThatFitsWhereverItBegins) {
  for (const std::size_t start : {0, 1, 499, 999, 12345}) {
    EXPECT_EQ(chosenAmongMany(1000, {0}, start), "0");
    EXPECT_EQ(chosenAmongMany(1000, {999}, start), "999");
    EXPECT_EQ(chosenAmongMany(1000, {}, start), "");
  }
}

TEST(ChooseAmongMany, BeginsWhereItIsToldWhenThereAreMoreThanEnough) {
  EXPECT_EQ(chosenAmongMany(kEnoughNodes + 1, {3, 70}, 50), "70");
  EXPECT_EQ(chosenAmongMany(kEnoughNodes, {3, 70}, 50), "3");
}

struct Obstacle {
  State state;
  std::string_view word;
  std::string summary;
};

class ChooseWithAClaim : public testing::TestWithParam<Obstacle> {};

TEST_P(ChooseWithAClaim, RefusesEveryNodeForWhatNoNodeCanHelp) {
  World world = healthy();
  world.claims = {{.name = "disk", .state = GetParam().state, .volume = "pv-1"}};

  const Verdict verdict = world.verdict();

  EXPECT_EQ(verdict.node, "");
  ASSERT_EQ(verdict.refusals.size(), 3u);
  EXPECT_EQ(verdict.refusals[2].word, GetParam().word);
  EXPECT_EQ(verdict.summary, "0/3 nodes are available: " + GetParam().summary);
}

INSTANTIATE_TEST_SUITE_P(
    InEveryState, ChooseWithAClaim,
    testing::Values(
        Obstacle{State::Missing, "ClaimMissing", "persistentvolumeclaim \"disk\" not found."},
        Obstacle{State::BeingDeleted, "ClaimBeingDeleted", "persistentvolumeclaim \"disk\" is being deleted."},
        Obstacle{State::VolumeMissing, "VolumeMissing",
                 "persistentvolumeclaim \"disk\" bound to non-existent persistentvolume \"pv-1\"."},
        Obstacle{State::Unbound, "ClaimUnbound", "pod has unbound immediate PersistentVolumeClaims: \"disk\"."}),
    [](const auto& tested) { return std::string(tested.param.word); });

TEST(DutyOfAVerdict, IsToBindOnlyWhenAllClaimsAreBound) {
  const Verdict found = {"node-1", {}, ""};
  const ClaimView bound = {.name = "a", .state = State::Bound};
  const ClaimView binding = {.name = "b", .state = State::Binding};
  const ClaimView told = {.name = "c", .state = State::Waiting, .selectedNode = "node-1"};
  const ClaimView untold = {.name = "d", .state = State::Waiting};
  const auto dutyWith = [&](const std::vector<ClaimView>& claims) { return dutyOf(claims, found); };

  EXPECT_EQ(dutyWith({}), Duty::Bind);
  EXPECT_EQ(dutyWith({bound}), Duty::Bind);
  EXPECT_EQ(dutyWith({bound, binding}), Duty::AwaitVolumes);
  EXPECT_EQ(dutyWith({bound, told}), Duty::AwaitVolumes);
  EXPECT_EQ(dutyWith({bound, told, untold}), Duty::SelectNode);
}

TEST(DutyOfAVerdict, IsToRefuseWhenNoNodeIsFound) {
  EXPECT_EQ(dutyOf({}, {"", {}, "no nodes available to schedule pods"}), Duty::Refuse);
}

}  // namespace
}  // namespace godwit::scheduler
