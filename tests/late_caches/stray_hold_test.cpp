#include "controllers/virtual_machine_instance/reconciler.hpp"
#include "kinds/words.hpp"
#include "late_caches/late_caches.hpp"

namespace godwit::controllers::virtual_machine_instance {
namespace {

// An instance that runs, and is held by a migration whose claim has come late.
class StrayHold : public LateCaches<Reconciler> {
 protected:
  using Migration = kinds::VirtualMachineInstanceMigration;

  void SetUp() override {
    Migration wanted;
    wanted.metadata.nameSpace = "default";
    wanted.metadata.name = "away";
    wanted.spec.vmiName = "vm";
    migration = client.create(wanted).value();
    launcher = makePod("launcher", "");
  }

  void hold(const std::string& targetNode = "") {
    kinds::VirtualMachineInstance instance;
    instance.metadata.nameSpace = "default";
    instance.metadata.name = "vm";
    instance.status.phase = kinds::InstancePhase::Running;
    instance.status.godwit.activePod = "launcher";
    instance.status.migrationState.emplace();
    instance.status.migrationState->migrationUid = migration.metadata.uid;
    instance.status.migrationState->targetNode = targetNode;
    instance.status.migratedVolumes = {{"root", {"here"}, {"there"}}};
    ASSERT_TRUE(client.create(instance));
  }

  kinds::Pod makePod(const std::string& name, const std::string& move) {
    kinds::Pod pod;
    pod.metadata.nameSpace = "default";
    pod.metadata.name = name;
    if (!move.empty()) pod.metadata.labels[std::string(kinds::words::kMigrationJobUid)] = move;
    pod.spec.containers = {{.name = "compute", .image = "", .resources = {}}};
    const auto made = client.create(pod).value();
    auto running = made;
    running.status.phase = kinds::pod_phase::kRunning;
    return client.changeStatus(made, running).value();
  }

  kinds::VirtualMachineInstanceStatus lookAround() {
    for (int i = 0; i < 3; ++i) {
      learnEverything();
      act();
    }
    return client.get<kinds::VirtualMachineInstance>({"default", "vm"}).value().status;
  }

  Migration migration;
  kinds::Pod launcher;
};

TEST_F(StrayHold, EndsWhenItsMigrationIsGone) {
  learnEverything();
  ASSERT_TRUE(client.remove(migration));
  hold();
  ASSERT_TRUE(world.instances.pump());
  act();
  EXPECT_FALSE(client.get<kinds::VirtualMachineInstance>({"default", "vm"}).value().status.migrationState->completed)
      << "as far as the cache knows, the migration is there";
  const auto status = lookAround();
  EXPECT_TRUE(status.migrationState->completed && status.migrationState->failed);
  EXPECT_TRUE(status.migratedVolumes.empty());
}

TEST_F(StrayHold, IsNoneWhileTheServerKnowsItsMigration) {
  hold();
  ASSERT_TRUE(world.instances.pump());
  act();
  EXPECT_FALSE(lookAround().migrationState->completed);
}

TEST_F(StrayHold, IsNotEndedOnceTheGuestMayMove) {
  ASSERT_TRUE(client.remove(migration));
  hold("node-2");
  EXPECT_FALSE(lookAround().migrationState->completed);
}

TEST_F(StrayHold, IsNotEndedWhileAPodOfTheMoveIsThere) {
  ASSERT_TRUE(client.remove(migration));
  const auto target = makePod("target", migration.metadata.uid);
  hold();
  EXPECT_FALSE(lookAround().migrationState->completed);
}

}  // namespace
}  // namespace godwit::controllers::virtual_machine_instance
