#include <set>

#include <gtest/gtest.h>

#include "scheduling/cluster.hpp"

namespace godwit::scheduler {
namespace {

// Two nodes with room for four pods each.
class Scheduling : public testing::Test {
 protected:
  void SetUp() override {
    cluster.addNode("node-1");
    cluster.addNode("node-2");
  }

  Cluster cluster;
};

TEST_F(Scheduling, BindsAPodToANode) {
  cluster.create(podNamed("web"));

  cluster.settle();

  EXPECT_EQ(cluster.nodeOf("web"), "node-1");
  EXPECT_EQ(cluster.scheduled("web"), "True");
}

TEST_F(Scheduling, TellsPeopleWhereThePodWent) {
  cluster.create(podNamed("web"));

  cluster.settle();

  const auto events = cluster.client.list(schema::kind<kinds::Event>).value().items;
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(object::textAt(events[0], {"message"}), "Successfully assigned default/web to node-1");
}

TEST_F(Scheduling, LeavesPodsAloneThatAreBoundAlready) {
  kinds::Pod pod = podNamed("web");
  pod.spec.nodeName = "elsewhere";
  cluster.create(pod);

  cluster.settle();

  EXPECT_EQ(cluster.nodeOf("web"), "elsewhere");
}

TEST_F(Scheduling, DoesNotGiveTheSameRoomToAWholeBurst) {
  for (int i = 0; i < 9; ++i) cluster.create(podNamed("pod-" + std::to_string(i)));
  cluster.learn();

  cluster.act();

  std::multiset<std::string> nodes;
  for (int i = 0; i < 9; ++i) nodes.insert(cluster.nodeOf("pod-" + std::to_string(i)));
  EXPECT_EQ(nodes, (std::multiset<std::string>{"", "node-1", "node-1", "node-1", "node-1", "node-2", "node-2", "node-2",
                                               "node-2"}));
}

TEST_F(Scheduling, ForgetsWhatItAssumedOnceItSeesThePodThere) {
  cluster.create(podNamed("web"));
  cluster.learn();
  cluster.act();
  EXPECT_EQ(cluster.assumed(), 1u);

  cluster.settle();

  EXPECT_EQ(cluster.assumed(), 0u);
}

TEST_F(Scheduling, SaysWhyAPodFitsNowhereAndDoesNotRepeatItself) {
  cluster.create(podNamed("huge", "5Gi"));

  cluster.settle();

  EXPECT_EQ(cluster.scheduled("huge"), "False Unschedulable: 0/2 nodes are available: 2 Insufficient memory.");
  const auto version = cluster.get<kinds::Pod>("huge").metadata.resourceVersion;
  cluster.restartScheduler();
  cluster.settle();
  EXPECT_EQ(cluster.get<kinds::Pod>("huge").metadata.resourceVersion, version);
  EXPECT_EQ(cluster.client.list(schema::kind<kinds::Event>).value().items.size(), 1u);
}

TEST_F(Scheduling, LooksAgainWhenANodeIsAdded) {
  cluster.create(podNamed("huge", "5Gi"));
  cluster.settle();

  cluster.addNode("node-3", "8Gi");
  cluster.settle();

  EXPECT_EQ(cluster.nodeOf("huge"), "node-3");
  EXPECT_EQ(cluster.scheduled("huge"), "True");
}

TEST_F(Scheduling, LooksAgainWhenANodeBecomesReady) {
  kinds::Node node = cluster.addNode("node-3", "8Gi");
  kinds::Node down = node;
  down.status.conditions[0].status = "Unknown";
  down = cluster.changeStatus(node, down);
  cluster.create(podNamed("huge", "5Gi"));
  cluster.settle();
  EXPECT_EQ(cluster.scheduled("huge"),
            "False Unschedulable: 0/3 nodes are available: 1 node(s) were not ready, 2 Insufficient memory.");

  cluster.changeStatus(down, node);
  cluster.settle();

  EXPECT_EQ(cluster.nodeOf("huge"), "node-3");
}

TEST_F(Scheduling, LooksAgainWhenAPodEnds) {
  cluster.create(podNamed("first", "4Gi"));
  cluster.create(podNamed("second", "4Gi"));
  cluster.settle();
  cluster.create(podNamed("third", "4Gi"));
  cluster.settle();
  ASSERT_EQ(cluster.nodeOf("third"), "");

  cluster.endPod("second");
  cluster.settle();

  EXPECT_EQ(cluster.nodeOf("third"), cluster.nodeOf("second"));
}

TEST_F(Scheduling, LooksAgainWhenTheCompanyAPodSeeksArrives) {
  kinds::Pod follower = podNamed("follower");
  follower.spec.affinity.emplace().podAffinity = {
      {{.labelSelector = {{{"app", "leader"}}, {}}, .topologyKey = std::string(kinds::words::kHostname)}}};
  cluster.create(follower);
  cluster.settle();
  ASSERT_EQ(cluster.scheduled("follower"),
            "False Unschedulable: 0/2 nodes are available: 2 node(s) didn't match pod affinity rules.");

  cluster.create(podNamed("leader"));
  cluster.settle();

  EXPECT_EQ(cluster.nodeOf("follower"), cluster.nodeOf("leader"));
}

TEST_F(Scheduling, AcceptsThatSomebodyElseHasBoundThePod) {
  cluster.create(podNamed("web"));
  cluster.learn();
  ASSERT_TRUE(
      cluster.client.post(schema::kind<kinds::Pod>, {"default", "web"}, "binding", {{"target", {{"name", "node-2"}}}}));

  cluster.act();
  cluster.waitAWhile();
  cluster.settle();

  EXPECT_EQ(cluster.nodeOf("web"), "node-2");
}

}  // namespace
}  // namespace godwit::scheduler
