#include "scheduler/roster.hpp"

#include <gtest/gtest.h>

#include "kinds/words.hpp"

namespace godwit::scheduler {
namespace {

const object::Key kWeb = {"default", "web"};
const object::Key kDb = {"default", "db"};

kinds::Node nodeNamed(const std::string& name, const std::string& zone = "east") {
  kinds::Node node;
  node.metadata.name = name;
  node.metadata.labels = {{std::string(kinds::words::kHostname), name}, {"zone", zone}};
  node.status.allocatable = {{"memory", "4Gi"}, {"cpu", "4"}, {"pods", "110"}};
  return node;
}

kinds::Pod podOf(const object::Key& key, const std::string& memory, const std::string& node = "") {
  kinds::Pod pod;
  pod.metadata.nameSpace = key.nameSpace;
  pod.metadata.name = key.name;
  pod.metadata.uid = "uid-" + key.name;
  pod.metadata.labels = {{"app", key.name}};
  pod.spec.nodeName = node;
  pod.spec.containers = {{.name = "a", .image = "", .resources = {{{"memory", memory}}, {}}}};
  return pod;
}

// One node with room for one of two pods that wait.
class RosterOfOneNode : public testing::Test {
 protected:
  void SetUp() override {
    roster.onRelease([this] { ++releases; });
    const kinds::Node node = nodeNamed("node-1");
    roster.seeNode("node-1", &node);
    see(podOf(kWeb, "3Gi"));
    see(podOf(kDb, "3Gi"));
  }

  void see(const kinds::Pod& pod) { roster.seePod(pod.metadata.key(), std::make_shared<const kinds::Pod>(pod)); }
  void see(const kinds::Node& node) { roster.seeNode(node.metadata.name, &node); }
  std::string place(const object::Key& key) { return roster.place(key, {}).value().node; }

  Roster roster;
  int releases = 0;
};

TEST_F(RosterOfOneNode, DoesNotGiveTheSameRoomTwice) {
  EXPECT_EQ(place(kWeb), "node-1");
  EXPECT_EQ(place(kDb), "");
}

TEST_F(RosterOfOneNode, GivesAPodTheSameRoomAgain) {
  EXPECT_EQ(place(kWeb), "node-1");
  EXPECT_EQ(place(kWeb), "node-1");
  EXPECT_EQ(releases, 0);
}

TEST_F(RosterOfOneNode, KnowsNothingOfPodsThatDoNotWait) {
  EXPECT_FALSE(roster.place({"default", "stranger"}, {}));
  see(podOf(kWeb, "3Gi", "node-1"));
  EXPECT_FALSE(roster.place(kWeb, {}));
}

TEST_F(RosterOfOneNode, BelievesWhatItSeesMoreThanWhatItAssumed) {
  place(kWeb);
  see(podOf(kWeb, "3Gi", "node-2"));

  EXPECT_EQ(roster.assumed(), 0u);
  EXPECT_EQ(place(kDb), "node-1");
}

TEST_F(RosterOfOneNode, GivesAwayTheRoomOfAPodThatIsGoneOrHasEnded) {
  place(kWeb);
  roster.seePod(kWeb, nullptr);
  EXPECT_EQ(place(kDb), "node-1");

  kinds::Pod ended = podOf(kDb, "3Gi", "node-1");
  ended.status.phase = kinds::pod_phase::kSucceeded;
  see(ended);
  see(podOf(kWeb, "3Gi"));
  EXPECT_EQ(place(kWeb), "node-1");
}

TEST_F(RosterOfOneNode, AssumesNothingOfAnotherPodOfTheSameName) {
  place(kWeb);
  kinds::Pod another = podOf(kWeb, "3Gi");
  another.metadata.uid = "another";
  see(another);

  EXPECT_EQ(roster.assumed(), 0u);
  EXPECT_EQ(place(kDb), "node-1");
}

TEST_F(RosterOfOneNode, TellsOfRoomThatIsFreeAgain) {
  place(kWeb);
  kinds::Node cordoned = nodeNamed("node-1");
  cordoned.spec.unschedulable = true;
  see(cordoned);

  EXPECT_EQ(place(kWeb), "");
  EXPECT_EQ(releases, 1);
}

TEST_F(RosterOfOneNode, CountsPodsThatWereSeenBeforeTheirNode) {
  see(podOf({"default", "early"}, "3Gi", "node-2"));
  see(nodeNamed("node-2"));
  see(podOf(kWeb, "2Gi"));
  see(podOf(kDb, "2Gi"));

  EXPECT_EQ(place(kWeb), "node-1");
  EXPECT_EQ(place(kDb), "node-1");
}

TEST_F(RosterOfOneNode, CountsPodsAnewWhenTheirNodeComesBack) {
  see(podOf(kWeb, "3Gi", "node-1"));
  roster.seeNode("node-1", nullptr);
  EXPECT_EQ(roster.place(kDb, {}).value().summary, "no nodes available to schedule pods");

  see(nodeNamed("node-1"));
  EXPECT_EQ(roster.place(kDb, {}).value().summary, "0/1 nodes are available: 1 Insufficient memory.");
}

TEST_F(RosterOfOneNode, MovesWhoIsThereWithTheLabelsOfTheNode) {
  see(podOf(kDb, "1Gi", "node-1"));
  see(nodeNamed("node-2", "west"));
  kinds::Pod web = podOf(kWeb, "1Gi");
  web.spec.affinity.emplace().podAffinity = {{{.labelSelector = {{{"app", "db"}}, {}}, .topologyKey = "zone"}}};
  web.spec.nodeSelector = {{std::string(kinds::words::kHostname), "node-2"}};
  see(web);
  EXPECT_EQ(place(kWeb), "");

  see(nodeNamed("node-1", "west"));
  EXPECT_EQ(place(kWeb), "node-2");
}

TEST(Roster, SaysAllThatSpeaksAgainstEachNode) {
  Roster roster;
  kinds::Node full = nodeNamed("full"), cordoned = nodeNamed("cordoned"), free = nodeNamed("free");
  full.status.allocatable["memory"] = "1Gi";
  cordoned.spec.unschedulable = true;
  cordoned.status.allocatable["memory"] = "1Gi";
  for (const kinds::Node* node : {&full, &cordoned, &free}) roster.seeNode(node->metadata.name, node);
  auto found = roster.examine(podOf(kWeb, "3Gi"), {});
  const Refusal noRoom = {"full", "InsufficientMemory", "Insufficient memory"};
  const Refusal closed = {"cordoned", "Cordoned", "node(s) were unschedulable"};
  EXPECT_EQ(found["free"], std::vector<Refusal>());
  EXPECT_EQ(found["full"], std::vector{noRoom});
  EXPECT_EQ(found["cordoned"], (std::vector{closed, {"cordoned", noRoom.word, noRoom.sentence}}));
  EXPECT_EQ(roster.assumed(), 0u);
}

}  // namespace
}  // namespace godwit::scheduler
