#include "controllers/volume/reconciler.hpp"
#include "kinds/words.hpp"
#include "late_caches/late_caches.hpp"

namespace godwit::controllers::volume {
namespace {

namespace words = kinds::words;

const object::Key kDisk{"", "disk"};

class ProtectedVolume : public LateCaches<Reconciler> {
 protected:
  using Claim = kinds::PersistentVolumeClaim;
  using Volume = kinds::PersistentVolume;

  void SetUp() override {
    claim = makeClaim();
    Volume made;
    made.metadata.name = kDisk.name;
    made.metadata.annotations[std::string(words::kProvisionedBy)] = words::kDirectoryProvisioner;
    made.metadata.finalizers = {std::string(words::kVolumeFinalizer)};
    made.spec.persistentVolumeReclaimPolicy = "Delete";
    made.spec.claimRef = {"v1", "PersistentVolumeClaim", "default", "root", claim.metadata.uid};
    ASSERT_TRUE(client.create(made));
    lookAround();
  }

  Claim makeClaim() {
    Claim wanted;
    wanted.metadata.nameSpace = "default";
    wanted.metadata.name = "root";
    wanted.spec.volumeName = kDisk.name;
    wanted.spec.accessModes = {"ReadWriteMany"};
    return client.create(wanted).value();
  }

  kinds::VirtualMachineInstance makeGuest() {
    kinds::VirtualMachineInstance instance;
    instance.metadata.nameSpace = "default";
    instance.metadata.name = "vm";
    instance.spec.volumes = {{"root", kinds::ClaimReference{"root"}, std::nullopt}};
    instance.status.phase = kinds::InstancePhase::Running;
    return client.create(instance).value();
  }

  void lookAround() {
    for (int i = 0; i < 3; ++i) {
      learnEverything();
      act();
    }
  }

  Volume disk() { return client.get<Volume>(kDisk).value(); }

  Claim claim;
};

TEST_F(ProtectedVolume, IsProtectedWhoeverMadeIt) {
  EXPECT_TRUE(disk().metadata.isHeldBy(words::kVolumeProtection));
  EXPECT_EQ(disk().status.phase, "Bound");
}

TEST_F(ProtectedVolume, OutlivesItsClaim) {
  ASSERT_TRUE(client.remove(disk()));
  lookAround();
  EXPECT_TRUE(disk().metadata.isHeldBy(words::kVolumeProtection));

  ASSERT_TRUE(client.remove(claim));
  lookAround();
  EXPECT_FALSE(disk().metadata.isHeldBy(words::kVolumeProtection));
  EXPECT_TRUE(disk().metadata.isHeldBy(words::kVolumeFinalizer)) << "its node has yet to remove the data";
}

TEST_F(ProtectedVolume, IsKeptForAGuestWhoseClaimIsGone) {
  const auto guest = makeGuest();
  ASSERT_TRUE(client.remove(claim));
  ASSERT_TRUE(world.claims.pump());
  act();
  EXPECT_EQ(disk().status.phase, "Released");
  EXPECT_FALSE(disk().metadata.beingDeleted());

  lookAround();
  ASSERT_TRUE(client.remove(guest));
  lookAround();
  EXPECT_TRUE(disk().metadata.beingDeleted());
  EXPECT_FALSE(disk().metadata.isHeldBy(words::kVolumeProtection));
}

TEST_F(ProtectedVolume, IsNotKeptForAGuestOfAnotherClaimOfThatName) {
  ASSERT_TRUE(client.remove(claim));
  clock.advance(std::chrono::seconds(1));
  makeClaim();
  clock.advance(std::chrono::seconds(1));
  makeGuest();
  lookAround();
  EXPECT_TRUE(disk().metadata.beingDeleted());
}

}  // namespace
}  // namespace godwit::controllers::volume
