#include <gtest/gtest.h>

#include "scheduling/cluster.hpp"

namespace godwit::scheduler {
namespace {

// Two nodes with 4 GiB each, and a class whose claims wait for the node of their first consumer.
class SchedulingWithClaims : public testing::Test {
 protected:
  void SetUp() override {
    cluster.addNode("node-1");
    cluster.addNode("node-2");
    cluster.addPatientClass();
    cluster.addClaim("disk");
  }

  Cluster cluster;
};

TEST_F(SchedulingWithClaims, TellsTheClaimsWhereThePodGoesAndWaitsUntilTheyAreBound) {
  cluster.addClaim("more");
  cluster.create(mounting(mounting(podNamed("vm"), "disk"), "more"));

  cluster.settle();
  EXPECT_EQ(cluster.selectedNodeOf("disk"), "node-1");
  EXPECT_EQ(cluster.selectedNodeOf("more"), "node-1");
  cluster.provision("disk", "node-1");
  cluster.settle();
  EXPECT_EQ(cluster.nodeOf("vm"), "");

  cluster.provision("more", "node-1");
  cluster.settle();
  EXPECT_EQ(cluster.nodeOf("vm"), "node-1");
}

TEST_F(SchedulingWithClaims, FollowsAChoiceThatIsOnRecord) {
  const auto claim = cluster.get<kinds::PersistentVolumeClaim>("disk");
  auto promised = claim;
  promised.metadata.annotations[std::string(kinds::words::kSelectedNode)] = "node-2";
  ASSERT_TRUE(cluster.client.change(claim, promised));
  cluster.addClaim("more");
  cluster.create(mounting(mounting(podNamed("vm"), "disk"), "more"));

  cluster.settle();

  EXPECT_EQ(cluster.selectedNodeOf("more"), "node-2");
}

TEST_F(SchedulingWithClaims, ChoosesAnewWhenTheNodeOnRecordIsGone) {
  const auto claim = cluster.get<kinds::PersistentVolumeClaim>("disk");
  auto promised = claim;
  promised.metadata.annotations[std::string(kinds::words::kSelectedNode)] = "gone";
  ASSERT_TRUE(cluster.client.change(claim, promised));
  cluster.create(mounting(podNamed("vm"), "disk"));

  cluster.settle();

  EXPECT_EQ(cluster.selectedNodeOf("disk"), "node-1");
}

TEST_F(SchedulingWithClaims, KeepsTheRoomOfAPodThatAwaitsItsVolumes) {
  cluster.create(mounting(podNamed("vm", "4Gi"), "disk"));
  cluster.settle();
  cluster.create(podNamed("a", "4Gi"));
  cluster.create(podNamed("b", "4Gi"));
  cluster.settle();

  EXPECT_EQ(cluster.nodeOf("a"), "node-2");
  EXPECT_EQ(cluster.scheduled("b"), "False Unschedulable: 0/2 nodes are available: 2 Insufficient memory.");
}

TEST_F(SchedulingWithClaims, DoesNotCountAPodThatAwaitsItsVolumesAgainstItself) {
  cluster.create(mounting(podNamed("vm", "4Gi"), "disk"));
  cluster.settle();
  EXPECT_EQ(cluster.scheduled("vm"), "");

  cluster.provision("disk", "node-1");
  cluster.settle();

  EXPECT_EQ(cluster.nodeOf("vm"), "node-1");
}

TEST_F(SchedulingWithClaims, LetsAVolumeThatIsKeptForTheClaimDecide) {
  cluster.addVolume("kept", "node-2", "disk");
  cluster.create(mounting(podNamed("vm"), "disk"));

  cluster.settle();
  EXPECT_EQ(cluster.selectedNodeOf("disk"), "");
  EXPECT_EQ(cluster.nodeOf("vm"), "");

  cluster.bindClaim("disk", "kept");
  cluster.settle();
  EXPECT_EQ(cluster.nodeOf("vm"), "node-2");
}

TEST_F(SchedulingWithClaims, LooksAgainWhenAVolumeIsMadeByHand) {
  cluster.addPatientClass("by-hand", "kubernetes.io/no-provisioner");
  cluster.addClaim("odd", "by-hand");
  cluster.create(mounting(podNamed("vm"), "odd"));
  cluster.settle();
  ASSERT_EQ(cluster.scheduled("vm"),
            "False Unschedulable: 0/2 nodes are available: "
            "2 node(s) didn't find available persistent volumes to bind.");

  cluster.addVolume("made", "node-2", "", "by-hand");
  cluster.settle();

  EXPECT_EQ(cluster.selectedNodeOf("odd"), "node-2");
}

TEST_F(SchedulingWithClaims, GivesTheRoomAwayWhenThePodThatAwaitsItsVolumesGoes) {
  cluster.create(mounting(podNamed("vm", "4Gi"), "disk"));
  cluster.settle();
  cluster.create(podNamed("a", "4Gi"));
  cluster.create(podNamed("b", "4Gi"));
  cluster.settle();

  ASSERT_TRUE(cluster.client.remove(cluster.get<kinds::Pod>("vm")));
  cluster.settle();

  EXPECT_EQ(cluster.nodeOf("b"), "node-1");
}

TEST_F(SchedulingWithClaims, GivesTheRoomAwayWhenThePodCannotGoThereAfterAll) {
  cluster.create(mounting(podNamed("vm", "4Gi"), "disk"));
  cluster.settle();
  cluster.create(podNamed("a", "4Gi"));
  cluster.create(podNamed("b", "4Gi"));
  cluster.settle();

  cluster.provision("disk", "node-2");
  cluster.settle();

  EXPECT_EQ(cluster.nodeOf("vm"), "");
  EXPECT_EQ(cluster.nodeOf("b"), "node-1");
}

TEST_F(SchedulingWithClaims, GoesOnAfterARestart) {
  cluster.create(mounting(podNamed("vm"), "disk"));
  cluster.settle();
  cluster.restartScheduler();
  cluster.provision("disk", "node-1");

  cluster.settle();

  EXPECT_EQ(cluster.nodeOf("vm"), "node-1");
}

TEST_F(SchedulingWithClaims, LooksAgainWhenAMissingClaimIsMade) {
  cluster.create(mounting(podNamed("vm"), "late"));
  cluster.settle();
  EXPECT_EQ(cluster.scheduled("vm"),
            "False Unschedulable: 0/2 nodes are available: persistentvolumeclaim \"late\" not found.");

  cluster.addClaim("late");
  cluster.settle();

  EXPECT_EQ(cluster.selectedNodeOf("late"), "node-1");
}

TEST_F(SchedulingWithClaims, LooksAgainWhenTheClassOfAClaimIsMade) {
  cluster.addClaim("odd", "later");
  cluster.create(mounting(podNamed("vm"), "odd"));
  cluster.settle();
  ASSERT_EQ(cluster.scheduled("vm"),
            "False Unschedulable: 0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims: \"odd\".");

  cluster.addPatientClass("later");
  cluster.settle();

  EXPECT_EQ(cluster.selectedNodeOf("odd"), "node-1");
}

}  // namespace
}  // namespace godwit::scheduler
