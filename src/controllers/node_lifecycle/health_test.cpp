#include "controllers/node_lifecycle/health.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::node_lifecycle {
namespace {

const Timestamp kNow = Timestamp(std::chrono::seconds(1'800'000'000));

kinds::Node nodeThatSays(const char* ready) {
  kinds::Node node;
  node.metadata.name = "a";
  node.metadata.labels["kubevirt.io/schedulable"] = "true";
  node.spec.taints = {{"godwit.io/hypervisor", "true", "NoSchedule"}};
  kinds::setCondition(node.status.conditions, {"Ready", ready, "AgentReady", "", {}}, kNow);
  return node;
}

kinds::Pod runningPod() {
  kinds::Pod pod;
  pod.spec.nodeName = "a";
  pod.status.phase = "Running";
  pod.status.reason = "GuestStarted";
  kinds::setCondition(pod.status.conditions, {"Ready", "True", "GuestStarted", "", {}}, kNow);
  return pod;
}

TEST(NodeHealth, IsWhatTheNodeSaysWhileItIsHeard) {
  EXPECT_EQ(judge(nodeThatSays("True"), false), Health::Healthy);
  EXPECT_EQ(judge(nodeThatSays("False"), false), Health::NotReady);
  EXPECT_EQ(judge(kinds::Node{}, false), Health::Healthy);
}

TEST(NodeHealth, IsUnreachableUntilTheNodeItselfSaysOtherwise) {
  EXPECT_EQ(judge(nodeThatSays("True"), true), Health::Unreachable);
  EXPECT_EQ(judge(nodeThatSays("Unknown"), false), Health::Unreachable);
}

TEST(NodeHealth, OfASilentNodeIsSaidAsKubernetesDoes) {
  const kinds::Node node = withHealth(nodeThatSays("True"), Health::Unreachable, kNow);
  const kinds::Condition* ready = kinds::findCondition(node.status.conditions, "Ready");
  EXPECT_EQ(ready->status, "Unknown");
  EXPECT_EQ(ready->reason, "NodeStatusUnknown");
  EXPECT_EQ(node.metadata.labels.at("kubevirt.io/schedulable"), "false");
  EXPECT_EQ(node.spec.taints, (std::vector<kinds::Taint>{{"godwit.io/hypervisor", "true", "NoSchedule"},
                                                         {"node.kubernetes.io/unreachable", "", "NoSchedule"},
                                                         {"node.kubernetes.io/unreachable", "", "NoExecute"}}));
}

TEST(NodeHealth, LeavesNothingBehindWhenTheNodeIsBack) {
  const kinds::Node before = nodeThatSays("True");
  kinds::Node back = withHealth(before, Health::Unreachable, kNow);
  back.status = before.status;
  EXPECT_EQ(withHealth(back, Health::Healthy, kNow), before);
}

TEST(NodeHealth, DoesNotSpeakOfGuestsWhereTheNodeDoesNot) {
  kinds::Node node = nodeThatSays("True");
  node.metadata.labels.clear();
  EXPECT_TRUE(withHealth(node, Health::Unreachable, kNow).metadata.labels.empty());
}

TEST(NodeHealth, TurnsOneTaintIntoTheOther) {
  const kinds::Node node =
      withHealth(withHealth(nodeThatSays("False"), Health::NotReady, kNow), Health::Unreachable, kNow);
  EXPECT_EQ(node.spec.taints.size(), 3u);
  EXPECT_EQ(node.spec.taints.back().key, "node.kubernetes.io/unreachable");
}

TEST(NodeHealth, ChangesNothingTheSecondTime) {
  const kinds::Node once = withHealth(nodeThatSays("True"), Health::Unreachable, kNow);
  EXPECT_EQ(withHealth(once, Health::Unreachable, kNow + std::chrono::hours(1)), once);
}

TEST(NodeHealth, DoesNotFailAPodOfASilentNodeButTellsPeopleWhatToDo) {
  const kinds::Pod pod = withHealth(runningPod(), Health::Unreachable, kNow);
  const kinds::Condition* ready = kinds::findCondition(pod.status.conditions, "Ready");
  EXPECT_EQ(pod.status.phase, "Running");
  EXPECT_EQ(ready->status, "Unknown");
  EXPECT_EQ(ready->reason, "NodeUnreachable");
  EXPECT_NE(ready->message.find("kubectl taint nodes a node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"),
            std::string::npos);
}

TEST(NodeHealth, GivesAPodBackWhatItsNodeSaidLast) {
  EXPECT_EQ(withHealth(withHealth(runningPod(), Health::Unreachable, kNow), Health::Healthy, kNow), runningPod());
}

TEST(NodeHealth, LeavesPodsThatHaveEndedAlone) {
  kinds::Pod pod = runningPod();
  pod.status.phase = "Failed";
  EXPECT_EQ(withHealth(pod, Health::Unreachable, kNow), pod);
}

}  // namespace
}  // namespace godwit::controllers::node_lifecycle
