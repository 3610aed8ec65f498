#include "controllers/migration/restriction.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::migration {
namespace {

using enum object::Requirement::Operator;
using kinds::NodeSelectorTerm;

const NodeSelectorTerm kNamedNode2 = {{}, {{"metadata.name", In, {"node-2"}}}};
const NodeSelectorTerm kOnSsd = {{{"disk", In, {"ssd"}}}, {}};

std::shared_ptr<const kinds::Node> node(const std::string& name, const object::Labels& labels = {}) {
  kinds::Node made;
  made.metadata.name = name;
  made.metadata.labels = labels;
  return std::make_shared<const kinds::Node>(made);
}

const Nodes kNodes = {node("node-1"), node("node-2", {{"disk", "ssd"}}), node("node-3", {{"disk", "hdd"}})};

// A guest on node-1 that may go anywhere.
kinds::VirtualMachineInstance guest() {
  kinds::VirtualMachineInstance instance;
  instance.status.nodeName = "node-1";
  return instance;
}

kinds::MigrationSpec asking(const NodeSelectorTerm& term) {
  kinds::MigrationSpec asked;
  asked.addedNodeSelectorTerm = term;
  return asked;
}

std::vector<NodeSelectorTerm> requiredTerms(const kinds::PodSpec& pod) {
  return pod.affinity->nodeAffinity->required->nodeSelectorTerms;
}

TEST(Restrict, MakesTheTermTheOnlyOneOfAPodThatRequiresNothing) {
  kinds::PodSpec pod;
  restrict(pod, asking(kNamedNode2));
  EXPECT_EQ(requiredTerms(pod), std::vector{kNamedNode2});
}

TEST(Restrict, AddsTheTermToEachOfSeveralBecauseTheyAreAlternatives) {
  kinds::PodSpec pod;
  const NodeSelectorTerm zoneA = {{{"zone", In, {"a"}}}, {}}, zoneB = {{{"zone", In, {"b"}}}, {}};
  pod.affinity = {.nodeAffinity = kinds::NodeAffinity{kinds::NodeSelector{{zoneA, zoneB}}},
                  .podAffinity = {},
                  .podAntiAffinity = {}};
  restrict(pod, asking({kOnSsd.matchExpressions, kNamedNode2.matchFields}));
  const NodeSelectorTerm expectedA = {{{"zone", In, {"a"}}, {"disk", In, {"ssd"}}}, kNamedNode2.matchFields};
  const NodeSelectorTerm expectedB = {{{"zone", In, {"b"}}, {"disk", In, {"ssd"}}}, kNamedNode2.matchFields};
  EXPECT_EQ(requiredTerms(pod), (std::vector{expectedA, expectedB}));
}

TEST(Restrict, LeavesATermThatMatchesNothingAsItIs) {
  kinds::PodSpec pod;
  pod.affinity = {.nodeAffinity = kinds::NodeAffinity{kinds::NodeSelector{{NodeSelectorTerm{}}}},
                  .podAffinity = {},
                  .podAntiAffinity = {}};
  restrict(pod, asking(kNamedNode2));
  EXPECT_EQ(requiredTerms(pod), std::vector{NodeSelectorTerm{}});
}

TEST(Restrict, TakesATermWithoutRequirementsForNone) {
  kinds::PodSpec pod;
  restrict(pod, asking({}));
  EXPECT_EQ(pod, kinds::PodSpec{});
}

TEST(Restrict, NeverOverridesALabelThatIsAskedForAlready) {
  kinds::PodSpec pod;
  pod.nodeSelector = {{"disk", "hdd"}};
  kinds::MigrationSpec asked;
  asked.addedNodeSelector = {{"disk", "ssd"}, {"zone", "a"}};
  restrict(pod, asked);
  EXPECT_EQ(pod.nodeSelector, (object::Labels{{"disk", "hdd"}, {"zone", "a"}}));
}

TEST(Prospect, IsGoodWhereANodeMatches) {
  EXPECT_EQ(prospectOf({}, guest(), kNodes), Prospect{});
  EXPECT_EQ(prospectOf(asking(kNamedNode2), guest(), kNodes), Prospect{});
  EXPECT_EQ(prospectOf(asking({{{"disk", NotIn, {"hdd"}}}, {}}), guest(), kNodes), Prospect{});
}

TEST(Prospect, NamesTheLabelThatBothAskForDifferently) {
  auto instance = guest();
  instance.spec.nodeSelector = {{"disk", "hdd"}};
  kinds::MigrationSpec asked;
  asked.addedNodeSelector = {{"disk", "hdd"}};
  EXPECT_EQ(prospectOf(asked, instance, kNodes).obstacle, Obstacle::None) << "the same is no conflict";
  asked.addedNodeSelector = {{"disk", "ssd"}};
  EXPECT_EQ(prospectOf(asked, instance, kNodes),
            (Prospect{Obstacle::SelectorsCollide,
                      "Conflicting node selectors: [disk]: the VM asks for disk=hdd, the migration for disk=ssd; what "
                      "the VM asks for is never overridden"}));
}

TEST(Prospect, NamesTheNodeThatDoesNotExist) {
  EXPECT_EQ(prospectOf(asking({{}, {{"metadata.name", In, {"node-9"}}}}), guest(), kNodes),
            (Prospect{Obstacle::NoNodeMatches, "node node-9 does not exist"}));
}

TEST(Prospect, SaysWhatNoNodeMatches) {
  EXPECT_EQ(prospectOf(asking({{{"disk", In, {"tape"}}}, {}}), guest(), kNodes),
            (Prospect{Obstacle::NoNodeMatches, "no node matches what the migration asks for: disk In [tape]"}));
}

TEST(Prospect, SaysThatTheGuestIsThereAlready) {
  EXPECT_EQ(
      prospectOf(asking({{}, {{"metadata.name", In, {"node-1"}}}}), guest(), kNodes),
      (Prospect{Obstacle::AlreadyThere, "the guest is on node node-1 already, and the migration allows no other"}));
}

TEST(Prospect, NamesTheNodesThatTheMachineItselfLeavesOut) {
  auto instance = guest();
  instance.spec.nodeSelector = {{"disk", "hdd"}};
  const Prospect excluded = {Obstacle::ExcludedByMachine,
                             "the VM's own nodeSelector and node affinity leave out node-2; change them in the VM, "
                             "then make a new migration"};
  EXPECT_EQ(prospectOf(asking(kNamedNode2), instance, kNodes), excluded);
}

TEST(Prospect, IsBadForAMachineThatIsPinnedToWhereItIs) {
  auto instance = guest();
  instance.spec.nodeSelector = {{"kubernetes.io/hostname", "node-1"}};
  EXPECT_EQ(prospectOf({}, instance, kNodes).obstacle, Obstacle::ExcludedByMachine);
}

TEST(Prospect, IsGoodForVolumesThatMayMoveWhereTheGuestIs) {
  auto asked = asking({{}, {{"metadata.name", In, {"node-1"}}}});
  asked.migratedVolumes = {{"disk-0", "disk-1"}};
  EXPECT_EQ(prospectOf(asked, guest(), kNodes), Prospect{});
  asked.mechanism = kinds::Mechanism::AcrossNodes;
  EXPECT_EQ(prospectOf(asked, guest(), kNodes).obstacle, Obstacle::AlreadyThere);
  asked = asking(kNamedNode2);
  asked.migratedVolumes = {{"disk-0", "disk-1"}};
  asked.mechanism = kinds::Mechanism::InPlace;
  EXPECT_EQ(prospectOf(asked, guest(), kNodes).obstacle, Obstacle::NoNodeMatches);
}

TEST(Prospect, LeavesItToTimeWhetherThereWillBeAnotherNode) {
  EXPECT_EQ(prospectOf({}, guest(), {node("node-1")}), Prospect{});
}

}  // namespace
}  // namespace godwit::controllers::migration
