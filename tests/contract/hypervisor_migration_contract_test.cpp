#include "contract/hypervisor/contract.hpp"

namespace godwit::hypervisor {
namespace {

TEST_P(HypervisorContract, MovesADomainOnASharedDisk) {
  const DiskSource disk = startGuest();
  beginMigration(order());

  ASSERT_TRUE(awaitState(target_, RunState::Running));
  ASSERT_TRUE(awaitAbsence(source_));
  ASSERT_TRUE(world_->settle([&] { return outcome().has_value(); }));
  EXPECT_TRUE(*outcome());

  EXPECT_EQ(target_->describe("guest")->owner, "vms/guest <&>");
  EXPECT_TRUE(writesOn(Side::Target, disk));
  EXPECT_TRUE(world_->changedDomains(Side::Target).contains("guest"));
}

TEST_P(HypervisorContract, TellsAGuestThatHasGoneOnHereFromOneThatNeverDid) {
  startGuest();
  ASSERT_TRUE(target_->forgetArrival("guest")) << "of another test's";
  EXPECT_EQ(target_->runStateOf("guest").error().code, Code::NotFound);
  beginMigration(order());
  ASSERT_TRUE(awaitState(target_, RunState::Running));
  ASSERT_TRUE(awaitAbsence(source_));
  EXPECT_EQ(source_->runStateOf("guest").error().code, Code::NotFound) << "it was not here that it arrived";

  ASSERT_TRUE(target_->destroy("guest"));

  EXPECT_EQ(target_->runStateOf("guest").error().code, Code::Gone);
  EXPECT_EQ(target_->describe("guest").error().code, Code::NotFound);
  EXPECT_TRUE(target_->destroy("guest"));
  EXPECT_TRUE(target_->list()->empty());
  ASSERT_TRUE(target_->forgetArrival("guest"));
  EXPECT_EQ(target_->runStateOf("guest").error().code, Code::NotFound);
  EXPECT_TRUE(target_->forgetArrival("guest")) << "safe to repeat";
}

TEST_P(HypervisorContract, ForgetsAnArrivalWithoutHarmToTheGuest) {
  const DiskSource disk = startGuest();
  beginMigration(order());
  ASSERT_TRUE(awaitState(target_, RunState::Running));
  ASSERT_TRUE(world_->settle([&] { return outcome().has_value(); }));
  ASSERT_TRUE(target_->forgetArrival("guest"));
  EXPECT_TRUE(writesOn(Side::Target, disk));
  ASSERT_TRUE(target_->destroy("guest"));
  EXPECT_EQ(target_->runStateOf("guest").error().code, Code::NotFound);
}

TEST_P(HypervisorContract, MovesADomainTogetherWithItsDisk) {
  startGuest();
  MigrationOrder copying = order();
  copying.copyDisks["vda"] = world_->makeDisk(Side::Target);
  beginMigration(copying);

  ASSERT_TRUE(awaitState(target_, RunState::Running));
  ASSERT_TRUE(awaitAbsence(source_));

  EXPECT_EQ(target_->describe("guest")->disks.at(0).source, copying.copyDisks["vda"]);
  EXPECT_TRUE(writesOn(Side::Target, copying.copyDisks["vda"]));
}

TEST_P(HypervisorContract, TellsHowFarAMigrationIsAndEndsItOnRequest) {
  const DiskSource disk = startGuest();
  MigrationOrder slow = order();
  slow.copyDisks["vda"] = world_->makeDisk(Side::Target);
  slow.tuning.bandwidthBytesPerSecond = 4 << 20;
  beginMigration(slow);
  EXPECT_TRUE(source_->describe("guest")->outgoing);
  EXPECT_EQ(source_->beginMigration(slow, [](const Result<>&) {}).error().code, Code::Conflict);
  ASSERT_TRUE(world_->settle([&] {
    const auto state = source_->describe("guest");
    return state && state->outgoing && !state->outgoing->disks.empty() && state->outgoing->disksDone > 0;
  }));
  const auto disks = source_->describe("guest")->outgoing->disks;
  ASSERT_EQ(disks.size(), 1u);
  EXPECT_EQ(disks[0].target, "vda");
  EXPECT_GE(disks[0].bytesTotal, World::kDiskSize);

  ASSERT_TRUE(source_->cancelMigration("guest"));

  ASSERT_TRUE(world_->settle([&] { return outcome().has_value(); }));
  EXPECT_FALSE(*outcome());
  EXPECT_TRUE(awaitAbsence(target_));
  EXPECT_EQ(source_->describe("guest")->state, RunState::Running);
  EXPECT_FALSE(source_->describe("guest")->outgoing);
  EXPECT_TRUE(writesOn(Side::Source, disk));
}

TEST_P(HypervisorContract, EndsAMigrationThatHasOnlyJustBegun) {
  const DiskSource disk = startGuest();
  MigrationOrder slow = order();
  slow.copyDisks["vda"] = world_->makeDisk(Side::Target);
  slow.tuning.bandwidthBytesPerSecond = 4 << 20;
  beginMigration(slow);

  ASSERT_TRUE(source_->cancelMigration("guest"));

  ASSERT_TRUE(world_->settle([&] { return outcome().has_value(); }));
  EXPECT_TRUE(awaitAbsence(target_));
  EXPECT_TRUE(writesOn(Side::Source, disk));
}

TEST_P(HypervisorContract, LetsAMigrationUnderWayGoFaster) {
  startGuest();
  EXPECT_EQ(source_->tune("guest", {}).error().code, Code::Conflict);
  MigrationOrder slow = order();
  slow.tuning = {.bandwidthBytesPerSecond = 1 << 20, .maxDowntimeMs = 10};
  slow.autoConverge = true;
  beginMigration(slow);
  ASSERT_TRUE(awaitMemoryOnItsWay());

  ASSERT_TRUE(source_->tune("guest", {.bandwidthBytesPerSecond = 0, .maxDowntimeMs = 1000}));

  ASSERT_TRUE(awaitState(target_, RunState::Running));
}

TEST_P(HypervisorContract, HoldsAGuestOnItsWayUntilItGoesOnAtTheTarget) {
  const DiskSource disk = startGuest();
  EXPECT_EQ(source_->hold("guest").error().code, Code::Conflict);
  MigrationOrder slow = order();
  slow.tuning.bandwidthBytesPerSecond = 2 << 20;
  beginMigration(slow);
  ASSERT_TRUE(awaitMemoryOnItsWay());

  ASSERT_TRUE(source_->hold("guest"));
  EXPECT_EQ(source_->describe("guest")->state, RunState::InTransit);
  EXPECT_TRUE(source_->hold("guest")) << "safe to repeat";
  ASSERT_TRUE(source_->tune("guest", {}));
  ASSERT_TRUE(awaitState(target_, RunState::Running));
  ASSERT_TRUE(awaitAbsence(source_));
  EXPECT_TRUE(writesOn(Side::Target, disk));
}

TEST_P(HypervisorContract, LetsAGuestGoOnThatWasHeldForAMigrationWhichIsCancelled) {
  const DiskSource disk = startGuest();
  MigrationOrder slow = order();
  slow.tuning.bandwidthBytesPerSecond = 1 << 20;
  beginMigration(slow);
  ASSERT_TRUE(awaitMemoryOnItsWay());
  ASSERT_TRUE(source_->hold("guest"));

  ASSERT_TRUE(source_->cancelMigration("guest"));

  ASSERT_TRUE(world_->settle([&] { return outcome().has_value(); }));
  EXPECT_TRUE(awaitState(source_, RunState::Running));
  EXPECT_TRUE(writesOn(Side::Source, disk));
}

TEST_P(HypervisorContract, LetsAGuestGoOnAtTheTargetBeforeItsMemoryIsThere) {
  const DiskSource disk = startGuest();
  EXPECT_EQ(source_->startPostCopy("guest").error().code, Code::Conflict);
  MigrationOrder ordered = order();
  ordered.postCopy = true;
  ordered.tuning.bandwidthBytesPerSecond = 2 << 20;
  beginMigration(ordered);
  ASSERT_TRUE(awaitMemoryOnItsWay());

  ASSERT_TRUE(source_->startPostCopy("guest"));

  ASSERT_TRUE(awaitState(target_, RunState::Running));
  const auto behind = source_->describe("guest");
  if (behind) {
    EXPECT_EQ(behind->state, RunState::LeftBehind);
    EXPECT_EQ(source_->resume("guest").error().code, Code::Conflict);
  }
  EXPECT_TRUE(writesOn(Side::Target, disk));
  ASSERT_TRUE(awaitAbsence(source_));
  ASSERT_TRUE(world_->settle([&] { return outcome().has_value(); }));
  EXPECT_TRUE(*outcome());
}

TEST_P(HypervisorContract, LeavesNothingThatCouldRunOfAGuestWhoseOtherHalfIsGone) {
  startGuest();
  MigrationOrder ordered = order();
  ordered.postCopy = true;
  ordered.tuning.bandwidthBytesPerSecond = 1 << 20;
  beginMigration(ordered);
  ASSERT_TRUE(awaitMemoryOnItsWay());
  ASSERT_TRUE(source_->startPostCopy("guest"));
  ASSERT_TRUE(awaitState(target_, RunState::Running));

  ASSERT_TRUE(target_->destroy("guest"));

  ASSERT_TRUE(awaitAbsence(target_));
  ASSERT_TRUE(world_->settle([&] { return outcome().has_value(); }));
  EXPECT_FALSE(*outcome());
  EXPECT_EQ(source_->describe("guest")->state, RunState::LeftBehind);
  EXPECT_FALSE(source_->describe("guest")->outgoing);
  EXPECT_EQ(source_->resume("guest").error().code, Code::Conflict);
  EXPECT_FALSE(source_->fence("guest"));
  EXPECT_TRUE(source_->destroy("guest"));
  EXPECT_TRUE(awaitAbsence(source_));
}

TEST_P(HypervisorContract, DoesNotGoOverToPostCopyWhereItWasNotOrdered) {
  const DiskSource disk = startGuest();
  MigrationOrder slow = order();
  slow.tuning.bandwidthBytesPerSecond = 1 << 20;
  beginMigration(slow);
  ASSERT_TRUE(awaitMemoryOnItsWay());
  EXPECT_EQ(source_->startPostCopy("guest").error().code, Code::Conflict);
  EXPECT_EQ(source_->describe("guest")->state, RunState::Running);
  ASSERT_TRUE(source_->cancelMigration("guest"));
  ASSERT_TRUE(world_->settle([&] { return outcome().has_value(); }));
  EXPECT_TRUE(writesOn(Side::Source, disk));
}

TEST_P(HypervisorContract, IsContentToCancelAMigrationThatIsNotThere) {
  EXPECT_TRUE(source_->cancelMigration("guest"));
  startGuest();
  EXPECT_TRUE(source_->cancelMigration("guest"));
}

TEST_P(HypervisorContract, RefusesToMoveADomainWhoseDiskIsBeingCopied) {
  startGuest();
  ASSERT_TRUE(source_->beginCopy("guest", "vda", world_->makeDisk(Side::Source)));
  EXPECT_EQ(source_->beginMigration(order(), [](const Result<>&) {}).error().code, Code::Conflict);
}

TEST_P(HypervisorContract, LeavesTheGuestAloneWhenTheDestinationDiskIsNotThere) {
  const DiskSource disk = startGuest();
  MigrationOrder bad = order();
  bad.copyDisks["vda"] = {.path = "/nonexistent/disk.img"};
  beginMigration(bad);
  ASSERT_TRUE(world_->settle([&] { return outcome().has_value(); }));
  EXPECT_FALSE(*outcome());
  EXPECT_TRUE(awaitAbsence(target_));
  EXPECT_TRUE(writesOn(Side::Source, disk));
}

TEST_P(HypervisorContract, FencesTheSourceOnceTheGuestHasGoneOn) {
  startGuest();
  MigrationOrder copying = order();
  copying.copyDisks["vda"] = world_->makeDisk(Side::Target);
  beginMigration(copying);
  ASSERT_TRUE(awaitState(target_, RunState::Running));

  EXPECT_EQ(source_->fence("guest").value(), Fencing::Fenced);

  EXPECT_TRUE(awaitAbsence(source_));
  ASSERT_TRUE(world_->settle([&] { return outcome().has_value(); }));
  EXPECT_TRUE(writesOn(Side::Target, copying.copyDisks["vda"]));
  EXPECT_EQ(source_->fence("guest").value(), Fencing::Fenced);
}

TEST_P(HypervisorContract, DoesNotHarmAGuestThatRunsWhenAskedToFenceIt) {
  const DiskSource disk = startGuest();
  EXPECT_EQ(source_->fence("guest").value(), Fencing::StillRunning);
  EXPECT_TRUE(writesOn(Side::Source, disk));
}

TEST_P(HypervisorContract, HoldsForFencedWhatIsNotThere) {
  EXPECT_EQ(source_->fence("nobody").value(), Fencing::Fenced);
}

}  // namespace
}  // namespace godwit::hypervisor
