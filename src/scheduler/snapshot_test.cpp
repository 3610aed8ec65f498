#include "scheduler/snapshot.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "kinds/words.hpp"
#include "scheduler/claims.hpp"

namespace godwit::scheduler {
namespace {

using State = ClaimView::State;

constexpr std::int64_t kMiB = 1LL << 20;

kinds::Node healthyNode() {
  kinds::Node node;
  node.metadata.name = "node-1";
  node.metadata.labels = {{"zone", "east"}};
  node.status.capacity = {{"memory", "2Gi"}, {"cpu", "4"}, {"pods", "110"}};
  node.status.allocatable = {{"memory", "1Gi"}, {"cpu", "3500m"}, {"pods", "50"}};
  node.status.conditions = {{.type = "Ready", .status = "True", .reason = "", .message = "", .lastTransitionTime = {}}};
  return node;
}

kinds::Pod podOf(const std::string& app) {
  kinds::Pod pod;
  pod.metadata.nameSpace = "default";
  pod.metadata.name = app;
  pod.metadata.labels = {{"app", app}};
  pod.spec.containers = {{.name = "a", .image = "", .resources = {{{"memory", "64Mi"}, {"cpu", "250m"}}, {}}}};
  return pod;
}

TEST(NodeViewOfANode, CountsWhatPodsMayUseOfIt) {
  EXPECT_EQ(viewOf(healthyNode()).allocatable, (Resources{1024 * kMiB, 3500, 50}));
}

TEST(NodeViewOfANode, TakesTheCapacityWhenNothingElseIsSaid) {
  kinds::Node node = healthyNode();
  node.status.allocatable.clear();

  EXPECT_EQ(viewOf(node).allocatable, (Resources{2048 * kMiB, 4000, 110}));
}

TEST(NodeViewOfANode, IsReadyUnlessTheNodeDeniesOrNobodyKnows) {
  kinds::Node node = healthyNode();
  EXPECT_TRUE(viewOf(node).ready);

  node.status.conditions[0].status = "False";
  EXPECT_FALSE(viewOf(node).ready);
  node.status.conditions[0].status = "Unknown";
  EXPECT_FALSE(viewOf(node).ready);
  node.status.conditions.clear();
  EXPECT_TRUE(viewOf(node).ready);
}

TEST(NodeViewOfANode, TakesAnyNumberOfPodsWhenNothingIsSaid) {
  kinds::Node node = healthyNode();
  node.status.allocatable.erase("pods");

  EXPECT_EQ(viewOf(node).allocatable.pods, std::numeric_limits<std::int64_t>::max());
}

TEST(RequestsOfAPod, AddUpContainersAndTakeALimitForARequest) {
  kinds::Pod pod = podOf("web");
  pod.spec.containers.push_back(
      {.name = "b", .image = "", .resources = {{{"cpu", "1"}}, {{"memory", "1Mi"}, {"cpu", "2"}}}});

  EXPECT_EQ(requestsOf(pod), (Resources{65 * kMiB, 1250, 1}));
}

kinds::PersistentVolumeClaim claimOf1Gi() {
  kinds::PersistentVolumeClaim claim;
  claim.metadata.name = "disk";
  claim.spec.storageClassName = "local";
  claim.spec.accessModes = {"ReadWriteOnce"};
  claim.spec.resources.requests = {{"storage", "1Gi"}};
  return claim;
}

kinds::PersistentVolume volumeOf1Gi() {
  kinds::PersistentVolume volume;
  volume.metadata.name = "pv-1";
  volume.spec.storageClassName = "local";
  volume.spec.accessModes = {"ReadWriteOnce", "ReadOnlyMany"};
  volume.spec.capacity = {{"storage", "1Gi"}};
  return volume;
}

kinds::StorageClass patientClass() {
  kinds::StorageClass made;
  made.provisioner = kinds::words::kDirectoryProvisioner;
  made.volumeBindingMode = "WaitForFirstConsumer";
  return made;
}

// How many of the volumes would do for the claim, in a class whose volumes people make.
std::size_t freeVolumesFor(const kinds::PersistentVolumeClaim& claim, const kinds::PersistentVolume& volume) {
  kinds::StorageClass manual = patientClass();
  manual.provisioner = "kubernetes.io/no-provisioner";
  const Volume volumes[] = {std::make_shared<const kinds::PersistentVolume>(volume)};
  return viewWithoutVolume(claim, &manual, volumes).freeVolumes.size();
}

TEST(ClaimViewOfAClaim, IsBoundOnceTheClaimSaysSo) {
  kinds::PersistentVolumeClaim claim = claimOf1Gi();
  claim.spec.volumeName = "pv-1";
  const kinds::PersistentVolume volume = volumeOf1Gi();

  EXPECT_EQ(viewWithVolume(claim, nullptr).state, State::VolumeMissing);
  EXPECT_EQ(viewWithVolume(claim, &volume).state, State::Binding);
  claim.status.phase = "Bound";
  EXPECT_EQ(viewWithVolume(claim, &volume).state, State::Bound);
}

TEST(ClaimViewOfAClaim, WaitsForItsConsumerWhenItsClassDoes) {
  kinds::PersistentVolumeClaim claim = claimOf1Gi();
  claim.metadata.annotations[std::string(kinds::words::kSelectedNode)] = "node-2";
  kinds::StorageClass storageClass = patientClass();

  EXPECT_EQ(viewWithoutVolume(claim, &storageClass, {}),
            (ClaimView{.name = "disk", .state = State::Waiting, .selectedNode = "node-2", .canBeMade = true}));
  storageClass.volumeBindingMode = "Immediate";
  EXPECT_EQ(viewWithoutVolume(claim, &storageClass, {}).state, State::Unbound);
  EXPECT_EQ(viewWithoutVolume(claim, nullptr, {}).state, State::Unbound);
}

TEST(ClaimViewOfAClaim, CountsOnlyFreeVolumesThatWouldDo) {
  EXPECT_EQ(freeVolumesFor(claimOf1Gi(), volumeOf1Gi()), 1u);

  kinds::PersistentVolume taken = volumeOf1Gi();
  taken.spec.claimRef.emplace();
  EXPECT_EQ(freeVolumesFor(claimOf1Gi(), taken), 0u);
  kinds::PersistentVolume small = volumeOf1Gi();
  small.spec.capacity = {{"storage", "1023Mi"}};
  EXPECT_EQ(freeVolumesFor(claimOf1Gi(), small), 0u);
  kinds::PersistentVolume block = volumeOf1Gi();
  block.spec.volumeMode = kinds::kVolumeModeBlock;
  EXPECT_EQ(freeVolumesFor(claimOf1Gi(), block), 0u);
  kinds::PersistentVolume readOnly = volumeOf1Gi();
  readOnly.spec.accessModes = {"ReadOnlyMany"};
  EXPECT_EQ(freeVolumesFor(claimOf1Gi(), readOnly), 0u);
  kinds::PersistentVolume other = volumeOf1Gi();
  other.spec.storageClassName = "fast";
  EXPECT_EQ(freeVolumesFor(claimOf1Gi(), other), 0u);
}

}  // namespace
}  // namespace godwit::scheduler
