#include "late_caches/wishes.hpp"

namespace godwit::controllers::volume_migration {
namespace {

using Claim = kinds::PersistentVolumeClaim;
using Migration = kinds::VirtualMachineInstanceMigration;

// A guest on claim "old", and what people wish for it.
class VolumeWish : public Wishes {
 protected:
  VolumeWish() {
    makeClaim("old");
    makeInstance("vm", "old");
  }

  void settle() {
    for (int pass = 0; pass < 4; ++pass) {
      learnEverything();
      act();
    }
  }

  kinds::VolumeMigration wish(const std::string& name = "wish") {
    return client.get<kinds::VolumeMigration>({"default", name}).value();
  }
  std::string whyRefused() {
    settle();
    EXPECT_EQ(wish().status.phase, kinds::VolumeMigrationPhase::Failed);
    return wish().status.volumeMigrationStates.at(0).reason;
  }

  // The migration has done its work: the guest uses the new claim, and nothing more than that is on record.
  void moveGuest(const std::string& to) {
    const auto migration = client.get<Migration>({"default", wish().status.virtualMachineMigrationName}).value();
    auto ended = migration;
    ended.status.phase = kinds::MigrationPhase::Succeeded;
    ASSERT_TRUE(client.changeStatus(migration, ended));
    const auto instance = client.get<kinds::VirtualMachineInstance>({"default", "vm"}).value();
    auto moved = instance;
    moved.spec.volumes[0].persistentVolumeClaim->claimName = to;
    ASSERT_TRUE(client.change(instance, moved));
  }
};

TEST_F(VolumeWish, HasAClaimMadeOfAClassAsLargeAsTheDisk) {
  wishFor({"old", "", kinds::SourceReclaimPolicy::Retain, "fast"});
  settle();
  const std::string name = "old-fast-" + wish().metadata.uid.substr(0, 8);
  EXPECT_EQ(wish().status.volumeMigrationStates.at(0).destinationClaim, name);
  const auto made = client.get<Claim>({"default", name}).value();
  EXPECT_EQ(made.spec.storageClassName, "fast");
  EXPECT_EQ(made.spec.accessModes, std::vector<std::string>{"ReadWriteOnce"});
  EXPECT_EQ(kinds::storageBytes(made.spec.resources.requests), 1 << 30);
  const auto migration = client.get<Migration>({"default", wish().status.virtualMachineMigrationName}).value();
  EXPECT_EQ(migration.spec.migratedVolumes, (std::vector<kinds::MigratedClaim>{{"old", name}}));
}

TEST_F(VolumeWish, AdoptsTheClaimThatWasMadeBeforeACrash) {
  wishFor({"old", "", kinds::SourceReclaimPolicy::Retain, "fast"});
  settle();
  ASSERT_TRUE(client.remove(schema::kind<Migration>, {"default", wish().status.virtualMachineMigrationName}));
  World anew{client, clock, random};
  control::Unit<Reconciler, World> next{"controller", anew};
  for (client::Reflector* cache : anew.caches()) ASSERT_TRUE(cache->pump());
  while (next.controller.passOnce()) {
  }
  EXPECT_EQ(count<Migration>(), 1u);
  EXPECT_EQ(count<Claim>(), 2u) << "the source, and one that was made";
}

TEST_F(VolumeWish, HasItsClaimTakenAwayWhenItFails) {
  wishFor({"old", "", kinds::SourceReclaimPolicy::Retain, "fast"});
  settle();
  ASSERT_EQ(count<Claim>(), 2u);
  const auto migration = client.get<Migration>({"default", wish().status.virtualMachineMigrationName}).value();
  auto failed = migration;
  failed.status.phase = kinds::MigrationPhase::Failed;
  ASSERT_TRUE(client.changeStatus(migration, failed));
  settle();
  EXPECT_EQ(wish().status.phase, kinds::VolumeMigrationPhase::Failed);
  EXPECT_EQ(count<Claim>(), 1u);
}

TEST_F(VolumeWish, HasItsClaimTakenAwayWhenItIsDeletedBeforeItHasMoved) {
  wishFor({"old", "", kinds::SourceReclaimPolicy::Retain, "fast"});
  settle();
  ASSERT_EQ(count<Claim>(), 2u);
  ASSERT_TRUE(client.remove(schema::kind<kinds::VolumeMigration>, {"default", "wish"}));
  settle();
  EXPECT_EQ(count<Migration>(), 1u) << "until nothing is copied any more";
  EXPECT_EQ(count<Claim>(), 2u);
  endMigrations();
  settle();
  EXPECT_EQ(count<Migration>(), 0u);
  EXPECT_EQ(count<Claim>(), 1u);
  EXPECT_EQ(count<kinds::VolumeMigration>(), 0u);
}

TEST_F(VolumeWish, LeavesTheClaimToAGuestThatHasMovedWhenItIsDeleted) {
  wishFor({"old", "", kinds::SourceReclaimPolicy::Retain, "fast"});
  settle();
  moveGuest(wish().status.volumeMigrationStates.at(0).destinationClaim);
  ASSERT_TRUE(client.remove(schema::kind<kinds::VolumeMigration>, {"default", "wish"}));
  settle();
  EXPECT_EQ(count<kinds::VolumeMigration>(), 0u);
  EXPECT_EQ(count<Claim>(), 2u);
}

// Whoever dies between the two leaves a source that is deleted later, and never one that is deleted too early.
TEST_F(VolumeWish, LosesItsSourceOnlyInAPassThatFindsSuccessOnRecord) {
  makeClaim("new");
  wishFor({"old", "new", kinds::SourceReclaimPolicy::Delete});
  settle();
  moveGuest("new");
  clock.advance(std::chrono::seconds(5));
  while (wish().status.phase != kinds::VolumeMigrationPhase::Succeeded) {
    ASSERT_TRUE(client.find<Claim>({"default", "old"}).value());
    learnEverything();
    ASSERT_TRUE(unit.controller.passOnce());
  }
  EXPECT_TRUE(client.find<Claim>({"default", "old"}).value()) << "the pass that records does not delete";
  World anew{client, clock, random};
  control::Unit<Reconciler, World> next{"controller", anew};
  for (client::Reflector* cache : anew.caches()) ASSERT_TRUE(cache->pump());
  while (next.controller.passOnce()) {
  }
  EXPECT_FALSE(client.find<Claim>({"default", "old"}).value());
}

TEST_F(VolumeWish, KeepsASourceThatSomebodyElseHasByThen) {
  makeClaim("new");
  wishFor({"old", "new", kinds::SourceReclaimPolicy::Delete});
  settle();
  moveGuest("new");
  makeInstance("other", "old");
  settle();
  EXPECT_EQ(wish().status.phase, kinds::VolumeMigrationPhase::Succeeded);
  EXPECT_TRUE(client.find<Claim>({"default", "old"}).value());
}

TEST_F(VolumeWish, KeepsAClaimThatWasGivenTheNameOfItsSourceInTheSameSecond) {
  makeClaim("new");
  wishFor({"old", "new", kinds::SourceReclaimPolicy::Delete});
  settle();
  moveGuest("new");
  ASSERT_TRUE(client.remove(schema::kind<Claim>, {"default", "old"}));
  makeClaim("old");
  settle();
  EXPECT_EQ(wish().status.phase, kinds::VolumeMigrationPhase::Succeeded);
  EXPECT_TRUE(client.find<Claim>({"default", "old"}).value());
}

TEST_F(VolumeWish, IsRefusedAClaimThatAGuestUses) {
  makeClaim("new");
  makeInstance("other", "new");
  wishFor({"old", "new"});
  EXPECT_NE(whyRefused().find("used by VMI other"), std::string::npos);
}

TEST_F(VolumeWish, IsRefusedAClaimThatAStoppedVmNames) {
  makeClaim("new");
  kinds::VirtualMachine machine;
  machine.metadata = named("other");
  machine.spec.runStrategy = "Halted";
  machine.spec.instance.spec.volumes = {{"root", std::nullopt, kinds::DataVolumeReference{"new"}}};
  ASSERT_TRUE(client.create(machine));
  wishFor({"old", "new"});
  EXPECT_NE(whyRefused().find("used by VM other"), std::string::npos);
}

TEST_F(VolumeWish, IsRefusedAClaimThatAPodMounts) {
  makeClaim("new");
  kinds::Pod pod;
  pod.metadata = named("importer");
  pod.spec.volumes = {{"v", kinds::ClaimReference{"new"}}};
  pod.spec.containers = {{.name = "c", .image = "i", .resources = {}}};
  ASSERT_TRUE(client.create(pod));
  wishFor({"old", "new"});
  EXPECT_NE(whyRefused().find("used by pod importer"), std::string::npos);
}

TEST_F(VolumeWish, IsRefusedAClaimThatWasPromisedToAnEarlierOne) {
  makeClaim("new");
  makeClaim("old-2");
  wishFor({"old-2", "new"}, "earlier");
  wishFor({"old", "new"});
  EXPECT_NE(whyRefused().find("used by VolumeMigration earlier"), std::string::npos);
  EXPECT_EQ(wish("earlier").status.phase, kinds::VolumeMigrationPhase::Pending) << "the later one is no obstacle to it";
}

TEST_F(VolumeWish, IsRefusedAClaimThatAMigrationMovesTo) {
  makeClaim("new");
  Migration migration;
  migration.metadata = named("by-hand");
  migration.spec.vmiName = "another";
  migration.spec.migratedVolumes = {{"x", "new"}};
  ASSERT_TRUE(client.create(migration));
  wishFor({"old", "new"});
  EXPECT_NE(whyRefused().find("used by migration by-hand"), std::string::npos);
}

TEST_F(VolumeWish, IsRefusedAClaimThatIsTooSmallByASector) {
  makeClaim("new", "1073741312");
  wishFor({"old", "new"});
  EXPECT_NE(whyRefused().find("1073741312 bytes where 1073741824 are needed"), std::string::npos);
}

}  // namespace
}  // namespace godwit::controllers::volume_migration
