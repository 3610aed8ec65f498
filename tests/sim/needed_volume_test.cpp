#include <gtest/gtest.h>

#include "apiserver/server.hpp"
#include "kinds/registry.hpp"
#include "kinds/words.hpp"
#include "node/volume_reconciler.hpp"
#include "sim/machine_room.hpp"
#include "store/memory/memory_store.hpp"

namespace godwit::sim {
namespace {

namespace words = kinds::words;

constexpr const char* kImage = "/node-1/disk/disk.img";

std::unique_ptr<hypervisor::Hypervisor> domainsOf(SimulatedFabric& fabric) {
  fabric.addHost("node-1");
  return *fabric.connect(SimulatedFabric::uriOf("node-1"));
}

// One node, and a volume of its own that was deleted and that nothing protects any more.
class NeededVolume : public testing::Test {
 protected:
  void SetUp() override {
    claim.metadata.nameSpace = "default";
    claim.metadata.name = "root";
    claim = client.create(claim).value();
    kinds::PersistentVolume volume;
    volume.metadata.name = "disk";
    volume.metadata.finalizers = {std::string(words::kVolumeFinalizer)};
    volume.spec.local = kinds::HostPath{"/node-1/disk"};
    volume.spec.claimRef = {"v1", "PersistentVolumeClaim", "default", "root", claim.metadata.uid};
    volume = client.create(volume).value();
    ASSERT_TRUE(images.ensure(volume, 1 << 20));
    ASSERT_TRUE(client.remove(volume));
    ASSERT_TRUE(site.volumes.pump());
  }

  bool isThereAfterAPass() {
    EXPECT_TRUE(reconciler.reconcile({"", "disk"}));
    return fabric.inspectImage("node-1", kImage).has_value();
  }

  SimulatedFabric fabric;
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
  std::set<std::string> made;
  SimulatedImages images{fabric, made, "node-1"};
  Chronicle chronicle;
  MoverRoom room{fabric, clock, chronicle, {}};
  SimulatedMovers movers{room};
  NoImporters importers;
  kinds::PersistentVolumeClaim claim;
  std::unique_ptr<hypervisor::Hypervisor> domains = domainsOf(fabric);
  node::Site site{"node-1", client, clock, *domains, images, movers, importers, "/consoles"};
  node::VolumeReconciler reconciler{site};
};

TEST_F(NeededVolume, HasItsDataRemovedWhenItsClaimIsGone) {
  EXPECT_TRUE(isThereAfterAPass()) << "it has a claim";
  ASSERT_TRUE(client.remove(claim));
  EXPECT_FALSE(isThereAfterAPass());
  EXPECT_FALSE(client.find<kinds::PersistentVolume>({"", "disk"}).value());
}

TEST_F(NeededVolume, KeepsItsDataUnderAGuestWhoseClaimWasTakenAwayByForce) {
  ASSERT_TRUE(
      domains->start({.name = "guest", .uuid = "guest", .disks = {{.target = "vda", .source = {.path = kImage}}}}));
  ASSERT_TRUE(client.remove(claim));
  EXPECT_TRUE(isThereAfterAPass());
  ASSERT_TRUE(domains->destroy("guest"));
  EXPECT_FALSE(isThereAfterAPass());
}

TEST_F(NeededVolume, KeepsItsDataWhileItIsProtected) {
  kinds::PersistentVolume other;
  other.metadata.name = "other";
  other.metadata.finalizers = {std::string(words::kVolumeFinalizer), std::string(words::kVolumeProtection)};
  other.spec.local = kinds::HostPath{"/node-1/other"};
  other = client.create(other).value();
  ASSERT_TRUE(images.ensure(other, 1 << 20));
  ASSERT_TRUE(client.remove(other));
  ASSERT_TRUE(site.volumes.pump());
  ASSERT_TRUE(reconciler.reconcile({"", "other"}));
  EXPECT_TRUE(fabric.inspectImage("node-1", "/node-1/other/disk.img"));
}

}  // namespace
}  // namespace godwit::sim
