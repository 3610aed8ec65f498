#include "controllers/migration/mechanism.hpp"

#include <gtest/gtest.h>

#include "kinds/words.hpp"

namespace godwit::controllers::migration {
namespace {

using enum kinds::Mechanism;

kinds::Node source() {
  kinds::Node node;
  node.metadata.name = "node-1";
  node.metadata.labels[std::string(kinds::words::kHostname)] = "node-1";
  return node;
}

kinds::PersistentVolume volumeOn(const std::string& node) {
  kinds::PersistentVolume volume;
  const object::Requirement here = {std::string(kinds::words::kHostname), object::Requirement::Operator::In, {node}};
  volume.spec.nodeAffinity = kinds::VolumeNodeAffinity{kinds::NodeSelector{{{{here}, {}}}}};
  return volume;
}

kinds::MigrationSpec asking(kinds::Mechanism mechanism) {
  kinds::MigrationSpec asked;
  asked.mechanism = mechanism;
  return asked;
}

TEST(ChooseMechanism, MovesInPlaceWhereTheNodeReachesTheVolume) {
  const kinds::PersistentVolumeClaim claim;
  const kinds::PersistentVolume shared;
  EXPECT_EQ(chooseMechanism(asking(Auto), {{&claim, &shared}}, source()), InPlace);
}

TEST(ChooseMechanism, GoesAcrossNodesToAVolumeThatIsElsewhere) {
  const kinds::PersistentVolumeClaim claim;
  const kinds::PersistentVolume elsewhere = volumeOn("node-2");
  EXPECT_EQ(chooseMechanism(asking(Auto), {{&claim, &elsewhere}}, source()), AcrossNodes);
}

TEST(ChooseMechanism, GoesAcrossNodesWhenOneOfTheVolumesIsElsewhere) {
  const kinds::PersistentVolumeClaim claim;
  const kinds::PersistentVolume here = volumeOn("node-1");
  const kinds::PersistentVolume elsewhere = volumeOn("node-2");
  EXPECT_EQ(chooseMechanism(asking(Auto), {{&claim, &here}, {&claim, &elsewhere}}, source()), AcrossNodes);
}

TEST(ChooseMechanism, TakesAClaimThatWaitsForItsFirstConsumerAsReachable) {
  kinds::PersistentVolumeClaim claim;
  EXPECT_EQ(chooseMechanism(asking(Auto), {{&claim, nullptr}}, source()), InPlace);
  claim.metadata.annotations[std::string(kinds::words::kSelectedNode)] = "node-2";
  EXPECT_EQ(chooseMechanism(asking(Auto), {{&claim, nullptr}}, source()), AcrossNodes);
}

TEST(ChooseMechanism, DoesWhatItIsAsked) {
  const kinds::PersistentVolumeClaim claim;
  const kinds::PersistentVolume shared;
  EXPECT_EQ(chooseMechanism(asking(AcrossNodes), {{&claim, &shared}}, source()), AcrossNodes);
}

TEST(ChooseMechanism, GoesAcrossNodesWhenTheMigrationLeavesOutTheSource) {
  const kinds::PersistentVolumeClaim claim;
  const kinds::PersistentVolume shared;
  auto asked = asking(Auto);
  asked.addedNodeSelector = {{"kubernetes.io/hostname", "node-2"}};
  EXPECT_EQ(chooseMechanism(asked, {{&claim, &shared}}, source()), AcrossNodes);
  asked.addedNodeSelector = {{"kubernetes.io/hostname", "node-1"}};
  EXPECT_EQ(chooseMechanism(asked, {{&claim, &shared}}, source()), InPlace);
}

TEST(ChooseMechanism, MovesTheGuestWhenNoVolumeMoves) {
  EXPECT_EQ(chooseMechanism(asking(Auto), {}, source()), AcrossNodes);
}

TEST(ChooseMechanism, StaysInPlaceWhereCopiesAreToBeCompared) {
  const kinds::PersistentVolumeClaim claim;
  const kinds::PersistentVolume elsewhere = volumeOn("node-2");
  auto asked = asking(Auto);
  asked.verify = true;
  asked.migratedVolumes = {{"a", "b"}};
  EXPECT_TRUE(isOnlyInPlace(asked));
  EXPECT_FALSE(isReachedFrom(source(), {&claim, &elsewhere}));
  EXPECT_EQ(chooseMechanism(asked, {{&claim, &elsewhere}}, source()), InPlace);
}

}  // namespace
}  // namespace godwit::controllers::migration
