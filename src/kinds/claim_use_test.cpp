#include "kinds/claim_use.hpp"

#include <gtest/gtest.h>

#include "kinds/words.hpp"

namespace godwit::kinds {
namespace {

VirtualMachineInstance running() {
  VirtualMachineInstance instance;
  instance.spec.volumes = {{"root", ClaimReference{"here"}, std::nullopt}};
  instance.status.phase = InstancePhase::Running;
  return instance;
}

TEST(UsesClaim, CountsWhereTheGuestIsAndWhereItIsTaken) {
  auto instance = running();
  EXPECT_TRUE(usesClaim(instance, "here"));
  instance.status.migratedVolumes.resize(1);
  instance.status.migratedVolumes[0].destinationPVCInfo.claimName = "there";
  EXPECT_FALSE(usesClaim(instance, "there")) << "of a move that is over";
  instance.status.migrationState.emplace();
  EXPECT_TRUE(usesClaim(instance, "there"));
}

TEST(UsesClaim, CountsOnlyWhileThereIsAGuestOrIsToBeOneOnANode) {
  auto instance = running();
  instance.status.phase = InstancePhase::Scheduled;
  EXPECT_TRUE(usesClaim(instance, "here"));
  for (const auto phase : {InstancePhase::Scheduling, InstancePhase::Succeeded, InstancePhase::Failed}) {
    instance.status.phase = phase;
    EXPECT_FALSE(usesClaim(instance, "here"));
  }
}

TEST(UsesClaim, CountsADiskUntilTheGuestHasLetGoOfIt) {
  auto instance = running();
  instance.status.volumeStatus = {{"more", "sda", "Detaching", "", "", ClaimFacts{"more"}, HotplugVolume{}}};
  EXPECT_TRUE(usesClaim(instance, "more"));
  instance.status.volumeStatus.clear();
  EXPECT_FALSE(usesClaim(instance, "more"));
}

TEST(UsesClaim, CountsPodsThatHaveANodeAndHaveNotEnded) {
  Pod pod;
  pod.spec.volumes = {{"root", ClaimReference{"here"}}};
  EXPECT_TRUE(mounts(pod, "here"));
  EXPECT_FALSE(usesClaim(pod, "here")) << "it is nowhere yet";
  pod.spec.nodeName = "node-1";
  EXPECT_TRUE(usesClaim(pod, "here"));
  EXPECT_FALSE(usesClaim(pod, "there"));
  pod.status.phase = pod_phase::kSucceeded;
  EXPECT_FALSE(usesClaim(pod, "here"));
}

// A VM of generation 4 whose disk is elsewhere from generation 5 on.
PersistentVolumeClaim left() {
  schema::Metadata machine;
  machine.uid = "vm-uid";
  machine.generation = 4;
  PersistentVolumeClaim claim;
  claim.metadata.annotations[std::string(words::kLeftBy)] = leavingMark(machine);
  return claim;
}

VirtualMachineInstance madeFrom(const std::string& machine, const std::string& generation) {
  auto instance = running();
  instance.metadata.ownerReferences.resize(1);
  instance.metadata.ownerReferences[0].uid = machine;
  instance.metadata.annotations[std::string(words::kVmGeneration)] = generation;
  return instance;
}

TEST(IsLeftBehind, HoldsForInstancesOfTheVmThatWereMadeBeforeItLeft) {
  EXPECT_TRUE(isLeftBehind(madeFrom("vm-uid", "4"), left()));
  EXPECT_FALSE(isLeftBehind(madeFrom("vm-uid", "5"), left())) << "the VM has come back";
  EXPECT_FALSE(isLeftBehind(madeFrom("another", "4"), left()));
  EXPECT_FALSE(isLeftBehind(running(), left())) << "nobody's instance";
  EXPECT_FALSE(isLeftBehind(madeFrom("vm-uid", "4"), {})) << "nobody has left";
}

}  // namespace
}  // namespace godwit::kinds
