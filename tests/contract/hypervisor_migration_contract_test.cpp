#include "contract/hypervisor/contract.hpp"

namespace godwit::hypervisor {
namespace {

TEST_P(HypervisorContract, MovesADomainOnASharedDiskAndLetsItWaitForItsResumption) {
  const DiskSource disk = startGuest();
  beginMigration(order());

  ASSERT_TRUE(awaitState(target, RunState::Paused));
  ASSERT_TRUE(awaitAbsence(source));
  ASSERT_TRUE(world->settle([&] { return outcome().has_value(); }));
  EXPECT_TRUE(*outcome());
  ASSERT_TRUE(target->resume("guest"));

  EXPECT_EQ(target->describe("guest")->state, RunState::Running);
  EXPECT_EQ(target->describe("guest")->owner, "vms/guest <&>");
  EXPECT_TRUE(writesOn(Side::Target, disk));
  EXPECT_TRUE(world->changedDomains(Side::Target).contains("guest"));
}

TEST_P(HypervisorContract, MovesADomainTogetherWithItsDisk) {
  startGuest();
  MigrationOrder copying = order();
  copying.copyDisks["vda"] = world->makeDisk(Side::Target);
  beginMigration(copying);

  ASSERT_TRUE(awaitState(target, RunState::Paused));
  ASSERT_TRUE(awaitAbsence(source));
  ASSERT_TRUE(target->resume("guest"));

  EXPECT_EQ(target->describe("guest")->disks.at(0).source, copying.copyDisks["vda"]);
  EXPECT_TRUE(writesOn(Side::Target, copying.copyDisks["vda"]));
}

TEST_P(HypervisorContract, TellsHowFarAMigrationIsAndEndsItOnRequest) {
  const DiskSource disk = startGuest();
  MigrationOrder slow = order();
  slow.copyDisks["vda"] = world->makeDisk(Side::Target);
  slow.bandwidthBytesPerSecond = 4 << 20;
  beginMigration(slow);
  EXPECT_TRUE(source->describe("guest")->outgoing);
  EXPECT_EQ(source->beginMigration(slow, [](Result<>) {}).error().code, Code::Conflict);
  ASSERT_TRUE(world->settle([&] {
    const auto state = source->describe("guest");
    return state && state->outgoing && state->outgoing->disksTotal > 0;
  }));

  ASSERT_TRUE(source->cancelMigration("guest"));

  ASSERT_TRUE(world->settle([&] { return outcome().has_value(); }));
  EXPECT_FALSE(*outcome());
  EXPECT_TRUE(awaitAbsence(target));
  EXPECT_EQ(source->describe("guest")->state, RunState::Running);
  EXPECT_FALSE(source->describe("guest")->outgoing);
  EXPECT_TRUE(writesOn(Side::Source, disk));
}

TEST_P(HypervisorContract, EndsAMigrationThatHasOnlyJustBegun) {
  const DiskSource disk = startGuest();
  MigrationOrder slow = order();
  slow.copyDisks["vda"] = world->makeDisk(Side::Target);
  slow.bandwidthBytesPerSecond = 4 << 20;
  beginMigration(slow);

  ASSERT_TRUE(source->cancelMigration("guest"));

  ASSERT_TRUE(world->settle([&] { return outcome().has_value(); }));
  EXPECT_TRUE(awaitAbsence(target));
  EXPECT_TRUE(writesOn(Side::Source, disk));
}

TEST_P(HypervisorContract, IsContentToCancelAMigrationThatIsNotThere) {
  EXPECT_TRUE(source->cancelMigration("guest"));
  startGuest();
  EXPECT_TRUE(source->cancelMigration("guest"));
}

TEST_P(HypervisorContract, RefusesToMoveADomainWhoseDiskIsBeingCopied) {
  startGuest();
  ASSERT_TRUE(source->beginCopy("guest", "vda", world->makeDisk(Side::Source)));
  EXPECT_EQ(source->beginMigration(order(), [](Result<>) {}).error().code, Code::Conflict);
}

TEST_P(HypervisorContract, LeavesTheGuestAloneWhenTheDestinationDiskIsNotThere) {
  const DiskSource disk = startGuest();
  MigrationOrder bad = order();
  bad.copyDisks["vda"] = {.path = "/nonexistent/disk.img"};
  beginMigration(bad);
  ASSERT_TRUE(world->settle([&] { return outcome().has_value(); }));
  EXPECT_FALSE(*outcome());
  EXPECT_TRUE(awaitAbsence(target));
  EXPECT_TRUE(writesOn(Side::Source, disk));
}

TEST_P(HypervisorContract, FencesTheSourceOnceTheTargetHasEverything) {
  const DiskSource disk = startGuest();
  beginMigration(order());
  ASSERT_TRUE(awaitState(target, RunState::Paused));

  EXPECT_EQ(source->fence("guest").value(), Fencing::Fenced);

  ASSERT_TRUE(target->resume("guest"));
  EXPECT_TRUE(awaitAbsence(source));
  ASSERT_TRUE(world->settle([&] { return outcome().has_value(); }));
  EXPECT_TRUE(writesOn(Side::Target, disk));
  EXPECT_EQ(source->fence("guest").value(), Fencing::Fenced);
}

TEST_P(HypervisorContract, FencesTheSourceOfACopiedDisk) {
  startGuest();
  MigrationOrder copying = order();
  copying.copyDisks["vda"] = world->makeDisk(Side::Target);
  beginMigration(copying);
  ASSERT_TRUE(awaitState(target, RunState::Paused));

  EXPECT_EQ(source->fence("guest").value(), Fencing::Fenced);

  ASSERT_TRUE(target->resume("guest"));
  EXPECT_TRUE(awaitAbsence(source));
  EXPECT_TRUE(writesOn(Side::Target, copying.copyDisks["vda"]));
}

TEST_P(HypervisorContract, DoesNotHarmAGuestThatRunsWhenAskedToFenceIt) {
  const DiskSource disk = startGuest();
  EXPECT_EQ(source->fence("guest").value(), Fencing::StillRunning);
  EXPECT_TRUE(writesOn(Side::Source, disk));
}

TEST_P(HypervisorContract, HoldsForFencedWhatIsNotThere) {
  EXPECT_EQ(source->fence("nobody").value(), Fencing::Fenced);
}

}  // namespace
}  // namespace godwit::hypervisor
