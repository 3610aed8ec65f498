#include "controllers/virtual_machine/reconciler.hpp"
#include "controllers/virtual_machine_instance/reconciler.hpp"
#include "controllers/volume_update/reconciler.hpp"
#include "kinds/words.hpp"
#include "late_caches/late_caches.hpp"

namespace godwit::controllers {
namespace {

using Instance = kinds::VirtualMachineInstance;
using Machine = kinds::VirtualMachine;
using Migration = kinds::VirtualMachineInstanceMigration;

const object::Key kGuest = {"default", "vm"};

// A VM whose guest runs on claim "old", and claims to go to.
template <class Reconciler>
class EditedClaims : public LateCaches<Reconciler> {
 protected:
  EditedClaims() {
    for (const char* name : {"old", "new"}) {
      kinds::PersistentVolumeClaim claim;
      claim.metadata.nameSpace = "default";
      claim.metadata.name = name;
      claim.spec.accessModes = {"ReadWriteOnce"};
      claim.spec.resources.requests = {{"storage", "1Gi"}};
      (void)this->client.create(claim).value();
    }
    Machine machine;
    machine.metadata.nameSpace = "default";
    machine.metadata.name = "vm";
    machine.spec.runStrategy = "Always";
    machine.spec.updateVolumesStrategy = kinds::update_strategy::kMigration;
    machine.spec.instance.spec.volumes = {{"root", kinds::ClaimReference{"old"}, std::nullopt}};
    (void)this->client.create(machine).value();
    Instance instance;
    instance.metadata.nameSpace = "default";
    instance.metadata.name = "vm";
    instance.metadata.finalizers = {std::string(kinds::words::kInstanceFinalizer)};
    instance.spec = machine.spec.instance.spec;
    instance.status.phase = kinds::InstancePhase::Running;
    (void)this->client.create(instance).value();
  }

  template <class Kind, class Edit>
  void edit(const Edit& edit) {
    const auto before = this->client.template get<Kind>(kGuest).value();
    auto after = before;
    edit(after);
    ASSERT_TRUE(this->client.change(before, after));
  }

  void wantClaim(const std::string& name) {
    edit<Machine>(
        [&](Machine& machine) { machine.spec.instance.spec.volumes[0].persistentVolumeClaim->claimName = name; });
  }

  void loseInstance() {
    edit<Instance>([](Instance& instance) { instance.metadata.finalizers.clear(); });
    ASSERT_TRUE(this->client.remove(schema::kind<Instance>, kGuest));
  }

  void putOnRecord() {
    const auto before = this->client.template get<Machine>(kGuest).value();
    auto after = before;
    after.status.volumeUpdateState.emplace().volumeMigrationState.emplace().migratedVolumes = {
        {"root", {"old"}, {"new"}}};
    after.status.godwit.volumes = {{"root", "old"}};
    ASSERT_TRUE(this->client.changeStatus(before, after));
  }

  void settle() {
    for (int pass = 0; pass < 4; ++pass) {
      this->learnEverything();
      this->act();
    }
  }

  kinds::Condition volumesChange() {
    const auto instance = this->client.template get<Instance>(kGuest).value();
    const auto* said = kinds::findCondition(instance.status.conditions, kinds::words::kVolumesChange);
    return said ? *said : kinds::Condition{};
  }

  Migration onlyMigration() {
    const auto listed = this->client.list(schema::kind<Migration>).value().items;
    EXPECT_EQ(listed.size(), 1u);
    return schema::view<Migration>(json::value(listed.at(0)));
  }

  void failMigration(const std::string& failureClass) {
    const Migration before = onlyMigration();
    Migration after = before;
    after.status.phase = kinds::MigrationPhase::Failed;
    after.status.phaseTransitionTimestamps = {{"Failed", this->clock.now()}};
    after.status.godwit.message = "it broke";
    after.status.godwit.failure = kinds::MigrationFailure{"Running", failureClass, "Broken", "it broke", ""};
    ASSERT_TRUE(this->client.changeStatus(before, after));
  }
};

class MovesToEditedClaims : public EditedClaims<volume_update::Reconciler> {};

TEST_F(MovesToEditedClaims, ByOneMigrationOnceItIsOnRecord) {
  wantClaim("new");
  settle();
  EXPECT_EQ(count<Migration>(), 0u);
  putOnRecord();
  settle();
  EXPECT_EQ(onlyMigration().spec.migratedVolumes, (std::vector<kinds::MigratedClaim>{{"old", "new"}}));
  EXPECT_EQ(volumesChange().message, "migrate volumes");
}

TEST_F(MovesToEditedClaims, NotWhenTheServerKnowsBetterThanTheCache) {
  wantClaim("new");
  settle();  // a pass that finds nothing to write is not told that it is late
  putOnRecord();
  learnEverything();
  edit<Instance>([](Instance& instance) { instance.spec.volumes[0].persistentVolumeClaim->claimName = "new"; });
  act();
  EXPECT_EQ(count<Migration>(), 0u) << "it has moved, and would be moved back";
}

TEST_F(MovesToEditedClaims, NoLongerWhenTheEditIsTakenBack) {
  wantClaim("new");
  putOnRecord();
  settle();
  ASSERT_EQ(count<Migration>(), 1u);
  wantClaim("old");
  settle();
  endMigrations();
  settle();
  EXPECT_EQ(count<Migration>(), 0u);
  EXPECT_EQ(volumesChange().status + volumesChange().reason, "FalseVolumesChangeCancellation");
}

TEST_F(MovesToEditedClaims, AndLeavesAMigrationAloneThatHasMadeIt) {
  wantClaim("new");
  putOnRecord();
  settle();
  edit<Instance>([](Instance& instance) { instance.spec.volumes[0].persistentVolumeClaim->claimName = "new"; });
  settle();
  EXPECT_EQ(count<Migration>(), 1u);
  EXPECT_EQ(volumesChange().reason, "");
}

TEST_F(MovesToEditedClaims, AgainAfterAFailureThatMayHeal) {
  wantClaim("new");
  putOnRecord();
  settle();
  failMigration("Transient");
  settle();
  EXPECT_EQ(volumesChange().reason, "MigrationBackoff");
  EXPECT_TRUE(onlyMigration().status.godwit.nextAttempt);
  clock.advance(std::chrono::seconds(20));
  unit.controller.enqueue(kGuest);
  settle();
  EXPECT_EQ(count<Migration>(), 2u);
}

TEST_F(MovesToEditedClaims, NotAgainAfterAFailureThatCannotHeal) {
  wantClaim("new");
  putOnRecord();
  settle();
  failMigration("Permanent");
  clock.advance(std::chrono::hours(1));
  settle();
  EXPECT_EQ(count<Migration>(), 1u);
  EXPECT_EQ(volumesChange().status, "False");
  EXPECT_NE(volumesChange().message.find("it broke"), std::string::npos);
}

class RecordsEditedClaims : public EditedClaims<virtual_machine::Reconciler> {};

TEST_F(RecordsEditedClaims, BeforeTheInstanceGoesAndStartsTheNextOneWhereTheDataIs) {
  wantClaim("new");
  settle();
  const auto update = client.get<Machine>(kGuest).value().status.volumeUpdateState;
  ASSERT_TRUE(update);
  EXPECT_EQ(update->volumeMigrationState->migratedVolumes,
            (std::vector<kinds::MigratedVolumeStatus>{{"root", {"old"}, {"new"}}}));
  loseInstance();
  settle();
  EXPECT_EQ(client.get<Instance>(kGuest).value().spec.volumes[0].claim(), "old");
}

TEST_F(RecordsEditedClaims, AlsoOfAGuestThatIsGoneForAMomentWhenTheyAreEdited) {
  settle();
  loseInstance();
  wantClaim("new");
  settle();
  EXPECT_EQ(client.get<Instance>(kGuest).value().spec.volumes[0].claim(), "old");
}

TEST_F(RecordsEditedClaims, NotOfAMachineThatIsOff) {
  edit<Machine>([](Machine& machine) { machine.spec.runStrategy = "Halted"; });
  settle();
  loseInstance();
  settle();
  wantClaim("new");
  edit<Machine>([](Machine& machine) { machine.spec.runStrategy = "Always"; });
  settle();
  EXPECT_EQ(client.get<Instance>(kGuest).value().spec.volumes[0].claim(), "new") << "whoever does that exchanges disks";
}

TEST_F(RecordsEditedClaims, AndDoesNotStartWithoutTheData) {
  wantClaim("new");
  settle();
  edit<Machine>([](Machine& machine) { machine.spec.runStrategy = "Halted"; });
  loseInstance();
  settle();
  ASSERT_TRUE(client.remove(schema::kind<kinds::PersistentVolumeClaim>, {"default", "old"}));
  edit<Machine>([](Machine& machine) { machine.spec.runStrategy = "Always"; });
  settle();
  EXPECT_FALSE(client.find<Instance>(kGuest).value());
  const auto conditions = client.get<Machine>(kGuest).value().status.conditions;
  const auto* required = kinds::findCondition(conditions, kinds::words::kManualRecoveryRequired);
  ASSERT_TRUE(required);
  EXPECT_EQ(required->message,
            "volume root was to move from claim old to new when the guest ended, and old, which has its data, is gone; "
            "bring it back, or remove spec.updateVolumesStrategy to start on new as it is");
  edit<Machine>([](Machine& machine) { machine.spec.updateVolumesStrategy.clear(); });
  settle();
  EXPECT_EQ(client.get<Instance>(kGuest).value().spec.volumes[0].claim(), "new");
  EXPECT_FALSE(kinds::findCondition(client.get<Machine>(kGuest).value().status.conditions,
                                    kinds::words::kManualRecoveryRequired));
}

TEST_F(RecordsEditedClaims, NoLongerOnceTheGuestUsesThem) {
  wantClaim("new");
  settle();
  edit<Instance>([](Instance& instance) { instance.spec.volumes[0].persistentVolumeClaim->claimName = "new"; });
  settle();
  EXPECT_FALSE(client.get<Machine>(kGuest).value().status.volumeUpdateState);
}

class InstanceWithEditedClaims : public EditedClaims<virtual_machine_instance::Reconciler> {};

TEST_F(InstanceWithEditedClaims, StaysUntilItsMachineKnowsWhereItsDataIs) {
  wantClaim("new");
  ASSERT_TRUE(client.remove(schema::kind<Instance>, kGuest));
  settle();
  EXPECT_TRUE(client.find<Instance>(kGuest).value());
  putOnRecord();
  unit.controller.enqueue(kGuest);
  settle();
  EXPECT_FALSE(client.find<Instance>(kGuest).value());
}

}  // namespace
}  // namespace godwit::controllers
