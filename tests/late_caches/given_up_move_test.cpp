#include "controllers/volume_migration/reconciler.hpp"
#include "late_caches/late_caches.hpp"

namespace godwit::controllers::volume_migration {
namespace {

class GivenUpMove : public LateCaches<Reconciler> {
 protected:
  // A wish whose migration is about to be made, as the caches know it.
  kinds::VolumeMigration makeScheduled() {
    kinds::VolumeMigration wish;
    wish.metadata.nameSpace = "default";
    wish.metadata.name = "to-shared";
    wish.spec.migratedVolume = {{.sourceClaim = "disk-0", .destinationClaim = "disk-1"}};
    const auto made = client.create(wish).value();
    auto scheduled = made;
    scheduled.status.phase = kinds::VolumeMigrationPhase::Scheduling;
    scheduled.status.virtualMachineInstanceName = "vm";
    scheduled.status.godwit.reason =
        "WaitingForMigration";  // a pass that finds nothing to write is not told that it is late
    return client.changeStatus(made, scheduled).value();
  }
};

TEST_F(GivenUpMove, IsBegunWhileItIsWanted) {
  makeScheduled();
  learnEverything();
  act();
  EXPECT_EQ(count<kinds::VirtualMachineInstanceMigration>(), 1u);
}

TEST_F(GivenUpMove, IsNotBegunAnewByAPassThatDoesNotKnowYet) {
  const auto scheduled = makeScheduled();
  learnEverything();
  auto failed = scheduled;
  failed.status.phase = kinds::VolumeMigrationPhase::Failed;
  ASSERT_TRUE(client.changeStatus(scheduled, failed));
  act();
  EXPECT_EQ(count<kinds::VirtualMachineInstanceMigration>(), 0u);
}

// The instance was handed over and the migration went, and of the two the cache knows only the second.
TEST_F(GivenUpMove, HasNotFailedWhenTheGuestIsThereThoughItsMigrationIsGone) {
  const auto scheduled = makeScheduled();
  auto running = scheduled;
  running.status.phase = kinds::VolumeMigrationPhase::Running;
  ASSERT_TRUE(client.changeStatus(scheduled, running));
  kinds::VirtualMachineInstance guest;
  guest.metadata.nameSpace = "default";
  guest.metadata.name = "vm";
  guest.spec.volumes = {{"root", kinds::ClaimReference{"disk-0"}, std::nullopt}};
  guest = client.create(guest).value();
  learnEverything();
  auto moved = guest;
  moved.spec.volumes[0].persistentVolumeClaim->claimName = "disk-1";
  ASSERT_TRUE(client.change(guest, moved));
  act();
  EXPECT_EQ(client.get<kinds::VolumeMigration>({"default", "to-shared"}).value().status.phase,
            kinds::VolumeMigrationPhase::Succeeded);
}

}  // namespace
}  // namespace godwit::controllers::volume_migration
