#include <gtest/gtest.h>

#include "apiserver/server.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"
#include "client/client.hpp"
#include "control/unit.hpp"
#include "controllers/claim/reconciler.hpp"
#include "kinds/registry.hpp"
#include "kinds/words.hpp"
#include "store/memory/memory_store.hpp"

namespace godwit::controllers::claim {
namespace {

// The claim controller before an API server, with caches that learn only when they are told to.
class LateVolume : public testing::Test {
 protected:
  void SetUp() override {
    kinds::StorageClass shared;
    shared.metadata.name = "shared";
    shared.provisioner = kinds::words::kDirectoryProvisioner;
    shared.parameters = {{"sharedDirectory", "/shared"}};
    ASSERT_TRUE(client.create(shared));
    for (client::Reflector* cache : world.caches()) ASSERT_TRUE(cache->pump());
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

  void act() {
    while (claims.controller.passOnce()) {
    }
  }

  std::size_t volumes() { return client.list(schema::kind<kinds::PersistentVolume>).value().items.size(); }

  ManualClock clock;
  SeededRandom random{1};
  store::MemoryStore store;
  apiserver::ApiServer server{store,
                              kinds::all(),
                              clock,
                              random,
                              {.tokens = {{.token = "secret", .user = "admin", .groups = {"system:masters"}}}}};
  client::InProcessTransport transport{server, "secret"};
  const client::Client client{transport};
  World world{client, clock, random};
  control::Unit<Reconciler, World> claims{"claim", world};
};

TEST_F(LateVolume, IsAwaitedAndNotReplacedByANewOne) {
  applyBoth();
  ASSERT_TRUE(world.claims.pump());
  act();
  EXPECT_EQ(volumes(), 1u);

  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(world.volumes.pump());
    act();
    ASSERT_TRUE(world.claims.pump());
    act();
  }
  EXPECT_EQ(volumes(), 1u);
  EXPECT_EQ(client.get<kinds::PersistentVolumeClaim>({"default", "root"}).value().spec.volumeName, "root");
}

}  // namespace
}  // namespace godwit::controllers::claim
