#include "controllers/claim/reconciler.hpp"
#include "kinds/words.hpp"
#include "late_caches/late_caches.hpp"

namespace godwit::controllers::claim {
namespace {

class LateVolume : public LateCaches<Reconciler> {
 protected:
  void SetUp() override {
    kinds::StorageClass shared;
    shared.metadata.name = "shared";
    shared.provisioner = kinds::words::kDirectoryProvisioner;
    shared.parameters = {{"sharedDirectory", "/shared"}};
    ASSERT_TRUE(client.create(shared));
    learnEverything();
  }

  // What a person applies at once: a volume that is kept for a claim, and the claim.
  void applyBoth() {
    kinds::PersistentVolume volume;
    volume.metadata.name = "root";
    volume.spec.storageClassName = "shared";
    volume.spec.capacity = {{"storage", "8Mi"}};
    volume.spec.accessModes = {"ReadWriteMany"};
    volume.spec.claimRef = kinds::ObjectReference{"v1", "PersistentVolumeClaim", "default", "root", ""};
    ASSERT_TRUE(client.create(volume));
    kinds::PersistentVolumeClaim claim;
    claim.metadata.nameSpace = "default";
    claim.metadata.name = "root";
    claim.spec.storageClassName = "shared";
    claim.spec.accessModes = {"ReadWriteMany"};
    claim.spec.resources.requests = {{"storage", "8Mi"}};
    ASSERT_TRUE(client.create(claim));
  }
};

TEST_F(LateVolume, IsAwaitedAndNotReplacedByANewOne) {
  applyBoth();
  ASSERT_TRUE(world.claims.pump());
  act();
  EXPECT_EQ(count<kinds::PersistentVolume>(), 1u);

  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(world.volumes.pump());
    act();
    ASSERT_TRUE(world.claims.pump());
    act();
  }
  EXPECT_EQ(count<kinds::PersistentVolume>(), 1u);
  EXPECT_EQ(client.get<kinds::PersistentVolumeClaim>({"default", "root"}).value().spec.volumeName, "root");
}

}  // namespace
}  // namespace godwit::controllers::claim
