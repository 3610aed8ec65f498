#include "controllers/claim/reconciler.hpp"
#include "kinds/words.hpp"
#include "late_caches/late_caches.hpp"

namespace godwit::controllers::claim {
namespace {

const object::Key kRoot{"default", "root"};

class ProtectedClaim : public LateCaches<Reconciler> {
 protected:
  using Claim = kinds::PersistentVolumeClaim;
  using Instance = kinds::VirtualMachineInstance;

  void SetUp() override {
    kinds::StorageClass shared;
    shared.metadata.name = "shared";
    shared.provisioner = kinds::words::kDirectoryProvisioner;
    shared.parameters = {{"sharedDirectory", "/shared"}};
    ASSERT_TRUE(client.create(shared));
    Claim claim;
    claim.metadata.nameSpace = kRoot.nameSpace;
    claim.metadata.name = kRoot.name;
    claim.spec.storageClassName = "shared";
    claim.spec.accessModes = {"ReadWriteMany"};
    claim.spec.resources.requests = {{"storage", "8Mi"}};
    ASSERT_TRUE(client.create(claim));
    for (int i = 0; i < 4; ++i) lookAround();
    ASSERT_TRUE(root()->bound());
  }

  void lookAround() {
    learnEverything();
    act();
  }

  std::optional<Claim> root() { return client.find<Claim>(kRoot).value(); }

  // It is deleted, and the controller hears of that, and of nothing else.
  void removeRoot() {
    ASSERT_TRUE(client.remove(schema::kind<Claim>, kRoot));
    ASSERT_TRUE(world.claims.pump());
    act();
  }

  Instance makeInstance(kinds::InstancePhase phase = kinds::InstancePhase::Running) {
    Instance instance;
    instance.metadata.nameSpace = "default";
    instance.metadata.name = "vm";
    instance.spec.volumes = {{"root", kinds::ClaimReference{"root"}, std::nullopt}};
    instance.status.phase = phase;
    instance.status.godwit.activePod = "launcher";
    return client.create(instance).value();
  }

  kinds::Pod makePod(const std::string& node, const std::string& instanceUid = "") {
    kinds::Pod pod;
    pod.metadata.nameSpace = "default";
    pod.metadata.name = "launcher";
    if (!instanceUid.empty()) pod.metadata.labels[std::string(kinds::words::kCreatedBy)] = instanceUid;
    pod.metadata.labels[std::string(kinds::words::kVmiName)] = "vm";
    pod.spec.nodeName = node;
    pod.spec.volumes = {{"root", kinds::ClaimReference{"root"}}};
    pod.spec.containers = {{.name = "compute", .image = "", .resources = {}}};
    return client.create(pod).value();
  }

  void endPod(const kinds::Pod& pod) {
    auto ended = pod;
    ended.status.phase = kinds::pod_phase::kSucceeded;
    ASSERT_TRUE(client.changeStatus(pod, ended));
  }
};

TEST_F(ProtectedClaim, GoesWhenNobodyUsesIt) {
  EXPECT_TRUE(root()->metadata.isHeldBy(kinds::words::kClaimProtection));
  removeRoot();
  EXPECT_FALSE(root());
}

TEST_F(ProtectedClaim, MayHaveBeenMadeBeforeThereWasProtection) {
  ASSERT_TRUE(client.letGo(*root(), kinds::words::kClaimProtection));
  lookAround();
  EXPECT_TRUE(root()->metadata.isHeldBy(kinds::words::kClaimProtection));
}

TEST_F(ProtectedClaim, StaysUnderAnInstanceThatNoCacheKnowsOfAndSaysWhoKeepsIt) {
  const Instance instance = makeInstance();
  removeRoot();
  const auto kept = root();
  ASSERT_TRUE(kept);
  EXPECT_TRUE(kept->bound());
  const auto* why = kinds::findCondition(kept->status.conditions, "Deleting");
  ASSERT_TRUE(why);
  EXPECT_EQ(why->message, "VirtualMachineInstance vm uses the claim; it goes when that has ended");

  lookAround();
  ASSERT_TRUE(root());
  ASSERT_TRUE(client.remove(instance));
  lookAround();
  EXPECT_FALSE(root());
}

TEST_F(ProtectedClaim, StaysUnderAPodThatNoCacheKnowsOf) {
  const kinds::Pod pod = makePod("node-1");
  removeRoot();
  ASSERT_TRUE(root());
  lookAround();
  ASSERT_TRUE(root());
  endPod(pod);
  lookAround();
  EXPECT_FALSE(root());
}

TEST_F(ProtectedClaim, DoesNotWaitForAPodThatIsNowhere) {
  makePod("");
  makeInstance(kinds::InstancePhase::Scheduling);
  removeRoot();
  EXPECT_FALSE(root());
}

TEST_F(ProtectedClaim, StaysWhileAGuestIsTakenToIt) {
  Instance instance = makeInstance();
  auto moving = instance;
  moving.spec.volumes = {{"root", kinds::ClaimReference{"elsewhere"}, std::nullopt}};
  moving.status.migrationState.emplace();
  moving.status.migratedVolumes = {{"root", {"elsewhere"}, {"root"}}};
  moving = client.change(instance, moving).value();
  removeRoot();
  ASSERT_TRUE(root());
  learnEverything();
  auto given = moving;
  given.status.migrationState->completed = true;
  given.status.migratedVolumes.clear();
  ASSERT_TRUE(client.change(moving, given));
  lookAround();
  EXPECT_FALSE(root());
}

TEST_F(ProtectedClaim, GoesOnceTheGuestHasLetGoOfTheDiskThoughItsPodStillMountsIt) {
  const Instance instance = makeInstance();
  makePod("node-1", instance.metadata.uid);
  auto unplugged = instance;
  unplugged.spec.volumes.clear();
  unplugged.status.volumeStatus = {
      {"root", "sda", "Detaching", "", "", kinds::ClaimFacts{"root"}, kinds::HotplugVolume{}}};
  unplugged = client.change(instance, unplugged).value();
  removeRoot();
  ASSERT_TRUE(root());
  learnEverything();
  auto gone = unplugged;
  gone.status.volumeStatus.clear();
  ASSERT_TRUE(client.change(unplugged, gone));
  lookAround();
  EXPECT_FALSE(root());
}

}  // namespace
}  // namespace godwit::controllers::claim
