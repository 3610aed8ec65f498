#include "controllers/migration/reconciler.hpp"
#include "late_caches/late_caches.hpp"

namespace godwit::controllers::migration {
namespace {

class LimitsOfMigrations : public LateCaches<Reconciler> {
 protected:
  void makeGuest(const std::string& name, const std::string& node) {
    kinds::VirtualMachineInstance instance;
    instance.metadata.nameSpace = "default";
    instance.metadata.name = name;
    instance.status.phase = kinds::InstancePhase::Running;
    instance.status.nodeName = node;
    ASSERT_TRUE(client.create(instance));
  }

  void migrate(const std::string& guest) {
    kinds::VirtualMachineInstanceMigration migration;
    migration.metadata.nameSpace = "default";
    migration.metadata.name = "move-" + guest;
    migration.spec.vmiName = guest;
    ASSERT_TRUE(client.create(migration));
  }

  void SetUp() override {
    for (const char* name : {"node-1", "node-2"}) {
      kinds::Node node;
      node.metadata.name = name;
      ASSERT_TRUE(client.create(node));
    }
    for (const char* guest : {"a", "b", "c", "d"}) makeGuest(guest, "node-1");
    for (const char* guest : {"a", "b", "c", "d"}) migrate(guest);
  }

  int claimed() {
    int count = 0;
    const auto instances = client.list(schema::kind<kinds::VirtualMachineInstance>).value();
    for (const auto& document : instances.items)
      if (schema::view<kinds::VirtualMachineInstance>(document).status.migrationState) ++count;
    return count;
  }

  auto statusOf(const std::string& migration) {
    return client.get<kinds::VirtualMachineInstanceMigration>({"default", migration}).value().status;
  }
};

TEST_F(LimitsOfMigrations, HoldThoughNoCacheHasSeenAClaim) {
  learnEverything();
  act();
  ASSERT_TRUE(world.migrations.pump());
  act();
  EXPECT_EQ(claimed(), 2);
}

TEST_F(LimitsOfMigrations, HoldForANewProcessThatFindsClaimsNotYetSpokenOf) {
  learnEverything();
  act();
  ASSERT_EQ(claimed(), 2);
  World another(client, clock, random);
  control::Unit<Reconciler, World> successor("controller", another);
  for (client::Reflector* cache : another.caches()) ASSERT_TRUE(cache->pump());
  while (successor.controller.passOnce()) {
  }
  EXPECT_EQ(claimed(), 2);
}

TEST_F(LimitsOfMigrations, AreToldToThoseThatWait) {
  learnEverything();
  act();
  learnEverything();
  act();
  const auto status = statusOf("move-d");
  EXPECT_EQ(status.godwit.reason, "WaitingForTurn");
  EXPECT_EQ(status.godwit.queue, (kinds::QueuePlace{2, {"default/move-c"}, "2 at a time away from node node-1"}));
  EXPECT_FALSE(statusOf("move-a").godwit.queue);
}

TEST_F(LimitsOfMigrations, LetTheNextOneGoWhenOneHasEnded) {
  learnEverything();
  act();
  ASSERT_TRUE(client.remove(schema::kind<kinds::VirtualMachineInstanceMigration>, {"default", "move-a"}));
  for (int i = 0; i < 4; ++i) {
    learnEverything();
    act();
  }
  EXPECT_TRUE(client.get<kinds::VirtualMachineInstance>({"default", "c"}).value().moving());
  EXPECT_EQ(statusOf("move-d").godwit.queue->position, 1);
}

TEST_F(LimitsOfMigrations, AreThoseOfTheKubeVirtObject) {
  ASSERT_TRUE(server.ensureNamespace("kubevirt"));
  kinds::KubeVirt cluster;
  cluster.metadata.nameSpace = cluster.metadata.name = "kubevirt";
  cluster.spec.configuration.emplace().migrations.emplace().parallelMigrationsPerCluster = 1;
  const auto made = client.create(cluster).value();
  learnEverything();
  act();
  EXPECT_EQ(claimed(), 1);
  auto wider = made;
  wider.spec.configuration->migrations->parallelMigrationsPerCluster = 9;
  wider.spec.configuration->migrations->parallelOutboundMigrationsPerNode = 3;
  ASSERT_TRUE(client.change(made, wider));
  learnEverything();
  act();
  EXPECT_EQ(claimed(), 3);
}

}  // namespace
}  // namespace godwit::controllers::migration
