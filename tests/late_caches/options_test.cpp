#include "controllers/migration/pods.hpp"
#include "controllers/migration/reconciler.hpp"
#include "kinds/words.hpp"
#include "late_caches/late_caches.hpp"

namespace godwit::controllers::migration {
namespace {

using kinds::MigrationPhase;

// A migration of a guest that has its target, in the phase that a test asks for.
class OptionsOnRecord : public LateCaches<Reconciler> {
 protected:
  void begin(MigrationPhase phase) {
    kinds::VirtualMachineInstanceMigration wish;
    wish.metadata.nameSpace = "default";
    wish.metadata.name = "move";
    wish.spec.vmiName = "web";
    const auto made = client.create(wish).value();
    auto moving = made;
    moving.status.phase = phase;
    moving.status.godwit.mechanism = "AcrossNodes";
    migration = client.changeStatus(made, moving).value();

    kinds::VirtualMachineInstance instance;
    instance.metadata.nameSpace = "default";
    instance.metadata.name = "web";
    instance.metadata.labels = {{"app", "sql"}};
    instance.status.phase = kinds::InstancePhase::Running;
    instance.status.nodeName = "node-1";
    auto& state = instance.status.migrationState.emplace();
    state.migrationUid = migration.metadata.uid;
    state.sourceNode = "node-1";
    if (phase == MigrationPhase::Running) state.targetNode = "node-2";
    ASSERT_TRUE(client.create(instance));
    makePod(targetName(migration), "node-2");
  }

  void makePod(const std::string& name, const std::string& node) {
    kinds::Pod pod;
    pod.metadata.nameSpace = "default";
    pod.metadata.name = name;
    pod.spec.nodeName = node;
    pod.spec.containers = {{.name = "it", .image = "godwit", .resources = {}}};
    ASSERT_TRUE(client.create(pod));
  }

  void allowPostCopy() {
    kinds::MigrationPolicy policy;
    policy.metadata.name = "for-databases";
    policy.spec.selectors = kinds::PolicySelectors{{}, {{"app", "sql"}}};
    policy.spec.allowPostCopy = true;
    ASSERT_TRUE(client.create(policy));
  }

  void settle() {
    for (int i = 0; i < 3; ++i) {
      learnEverything();
      act();
    }
  }

  auto state() {
    return client.get<kinds::VirtualMachineInstance>({"default", "web"}).value().status.migrationState.value();
  }
  std::string toldToMover() {
    const auto pod = client.get<kinds::Pod>({"default", moverName(migration)}).value();
    return object::valueOf(pod.metadata.annotations, kinds::words::kMigrationOptions);
  }

  kinds::VirtualMachineInstanceMigration migration;
};

TEST_F(OptionsOnRecord, AreThoseThatHoldAtTheHandOff) {
  begin(MigrationPhase::Scheduled);
  allowPostCopy();
  settle();
  EXPECT_EQ(state().targetNode, "node-2");
  EXPECT_EQ(state().migrationPolicyName, "for-databases");
  EXPECT_EQ(state().migrationConfiguration->allowPostCopy, true);
  EXPECT_EQ(state().migrationConfiguration->progressTimeout, 150);
}

TEST_F(OptionsOnRecord, FollowWhatIsSaidWhileTheGuestMoves) {
  begin(MigrationPhase::Running);
  settle();
  EXPECT_EQ(toldToMover(), writeOptions(resolve({}, nullptr, std::nullopt).options));
  allowPostCopy();
  settle();
  kinds::MigrationOptions said = resolve({}, nullptr, std::nullopt).options;
  said.allowPostCopy = said.allowWorkloadDisruption = true;
  EXPECT_EQ(toldToMover(), writeOptions(said));
  EXPECT_EQ(state().migrationConfiguration, said);
  EXPECT_EQ(state().migrationPolicyName, "for-databases");

  const auto fresh = client.get<kinds::VirtualMachineInstanceMigration>({"default", "move"}).value();
  auto limited = fresh;
  limited.spec.options.emplace().bandwidthPerMigration = "64Mi";
  ASSERT_TRUE(client.change(fresh, limited));
  settle();
  said.bandwidthPerMigration = "64Mi";
  EXPECT_EQ(toldToMover(), writeOptions(said));
}

TEST_F(OptionsOnRecord, AreFollowedByTheLastWordsOfTheMover) {
  begin(MigrationPhase::Running);
  settle();
  const auto pod = client.get<kinds::Pod>({"default", moverName(migration)}).value();
  auto ended = pod;
  ended.status.phase = kinds::pod_phase::kFailed;
  ended.status.reason = "CopyFailed";
  ended.status.containerStatuses = {
      {.name = "mover",
       .state = {kinds::ContainerEnd{.message = R"({"stage":"NotMoved","memoryDone":7,"downtimeMs":3})"}}}};
  ASSERT_TRUE(client.changeStatus(pod, ended));
  settle();
  const auto over = client.get<kinds::VirtualMachineInstanceMigration>({"default", "move"}).value().status;
  EXPECT_EQ(over.phase, MigrationPhase::Failed);
  EXPECT_EQ(over.godwit.progress, (kinds::MoveProgress{.stage = "NotMoved", .memoryDone = 7, .downtimeMs = 3}));
}

}  // namespace
}  // namespace godwit::controllers::migration
