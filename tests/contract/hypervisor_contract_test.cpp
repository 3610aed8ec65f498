#include "contract/hypervisor/contract.hpp"

namespace godwit::hypervisor {
namespace {

TEST_P(HypervisorContract, TellsWhatGuestsCanHaveForAProcessor) {
  const auto found = source_->processors();
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_FALSE(found->vendor.empty());
  EXPECT_FALSE(found->hostModel.empty());
  EXPECT_FALSE(found->models.empty());
  EXPECT_GT(found->features.size(), found->hostFeatures.size());
  for (const std::string& feature : found->hostFeatures) EXPECT_TRUE(found->features.contains(feature)) << feature;
  EXPECT_EQ(source_->processors().value(), *found);
}

TEST_P(HypervisorContract, DescribesTheDomainItStarted) {
  const DiskSource disk = startGuest();

  const auto state = source_->describe("guest");

  ASSERT_TRUE(state);
  EXPECT_EQ(state->uuid, specWith(disk).uuid);
  EXPECT_EQ(state->owner, "vms/guest <&>");
  EXPECT_EQ(state->memoryBytes, specWith(disk).memoryBytes);
  EXPECT_EQ(state->state, RunState::Running);
  ASSERT_EQ(state->disks.size(), 1u);
  EXPECT_EQ(state->disks[0].target, "vda");
  EXPECT_EQ(state->disks[0].source, disk);
  EXPECT_FALSE(state->disks[0].mirror);
  EXPECT_FALSE(state->outgoing);
}

TEST_P(HypervisorContract, ListsWhatIsThereAndNothingElse) {
  EXPECT_EQ(source_->list()->size(), 0u);
  startGuest();
  ASSERT_EQ(source_->list()->size(), 1u);
  EXPECT_EQ(source_->list()->at(0).name, "guest");
  EXPECT_EQ(target_->list()->size(), 0u);
}

TEST_P(HypervisorContract, DoesNotDescribeWhatIsNotThere) {
  EXPECT_EQ(source_->describe("nobody").error().code, Code::NotFound);
}

TEST_P(HypervisorContract, RefusesToStartADomainTwice) {
  const DiskSource disk = startGuest();
  EXPECT_EQ(source_->start(specWith(disk)).error().code, Code::AlreadyExists);
  EXPECT_TRUE(writesOn(Side::Source, disk));
}

TEST_P(HypervisorContract, DoesNotStartWithoutTheDisk) {
  EXPECT_FALSE(source_->start(specWith({.path = "/nonexistent/disk.img"})));
  EXPECT_EQ(source_->describe("guest").error().code, Code::NotFound);
}

TEST_P(HypervisorContract, DestroysADomainAndIsContentWhenThereIsNone) {
  startGuest();
  EXPECT_TRUE(source_->destroy("guest"));
  EXPECT_TRUE(isAbsent(source_));
  EXPECT_TRUE(source_->destroy("guest"));
}

TEST_P(HypervisorContract, ReportsThatADomainHasChanged) {
  startGuest();
  EXPECT_TRUE(world_->settle([&] { return world_->changedDomains(Side::Source).contains("guest"); }));
  EXPECT_TRUE(world_->changedDomains(Side::Target).empty());
}

TEST_P(HypervisorContract, ResumesADomainThatRunsByDoingNothing) {
  startGuest();
  EXPECT_TRUE(source_->resume("guest"));
  EXPECT_EQ(source_->describe("guest")->state, RunState::Running);
}

TEST_P(HypervisorContract, PausesADomainUntilItIsResumed) {
  const DiskSource disk = startGuest();
  ASSERT_TRUE(source_->pause("guest"));
  EXPECT_EQ(source_->describe("guest")->state, RunState::Paused);
  EXPECT_TRUE(source_->pause("guest")) << "safe to repeat";
  EXPECT_EQ(source_->pause("nobody").error().code, Code::NotFound);
  ASSERT_TRUE(source_->resume("guest"));
  EXPECT_TRUE(writesOn(Side::Source, disk));
}

TEST_P(HypervisorContract, StartsADomainThatWaits) {
  const DiskSource disk = world_->makeBootDisk();
  DomainSpec waiting = specWith(disk);
  waiting.paused = true;
  ASSERT_TRUE(source_->start(waiting));
  EXPECT_EQ(source_->describe("guest")->state, RunState::Paused);
  ASSERT_TRUE(source_->resume("guest"));
  EXPECT_TRUE(world_->settle([&] { return world_->newestRecord(Side::Source, disk).value_or(0) > 0; }));
}

TEST_P(HypervisorContract, GivesARunningDomainADiskAndTakesItAway) {
  const DiskSource disk = startGuest();
  const Disk more{.target = "sda", .bus = "scsi", .serial = "more", .source = world_->makeBootDisk()};
  ASSERT_TRUE(source_->attachDisk("guest", more));
  EXPECT_TRUE(source_->attachDisk("guest", more)) << "safe to repeat";
  ASSERT_EQ(source_->describe("guest")->disks.size(), 2u);
  EXPECT_EQ(source_->describe("guest")->disks[1].source, more.source);
  const Disk other{.target = "sda", .bus = "scsi", .source = disk};
  EXPECT_EQ(source_->attachDisk("guest", other).error().code, Code::Conflict);

  ASSERT_TRUE(source_->detachDisk("guest", "sda"));
  EXPECT_TRUE(world_->settle([&] { return source_->describe("guest")->disks.size() == 1; }));
  EXPECT_TRUE(source_->detachDisk("guest", "sda")) << "content when there is none";
  EXPECT_TRUE(writesOn(Side::Source, disk));
}

TEST_P(HypervisorContract, MayAskAgainForADiskThatTheGuestHasNotLetGoOf) {
  const DiskSource disk = startGuest();
  ASSERT_TRUE(source_->attachDisk("guest", {.target = "vdb", .source = world_->makeBootDisk()}));
  EXPECT_TRUE(source_->detachDisk("guest", "vdb"));
  EXPECT_TRUE(source_->detachDisk("guest", "vdb"));
  EXPECT_TRUE(writesOn(Side::Source, disk));
}

TEST_P(HypervisorContract, AsksAGuestToShutDownAndIsContentWhenThereIsNone) {
  EXPECT_TRUE(source_->shutdown("guest"));
  startGuest();
  EXPECT_TRUE(source_->shutdown("guest"));
  EXPECT_TRUE(source_->shutdown("guest"));
}

TEST_P(HypervisorContract, DoesNotTakeADestroyedDomainForOneThatPoweredOff) {
  startGuest();
  ASSERT_TRUE(source_->destroy("guest"));
  ASSERT_TRUE(awaitAbsence(source_));
  EXPECT_NE(source_->endingOf("guest"), Ending::PoweredOff);
}

INSTANTIATE_TEST_SUITE_P(AllBackends, HypervisorContract, testing::Values(Backend::Simulated, Backend::Libvirt),
                         [](const auto& tested) {
                           return tested.param == Backend::Simulated ? "Simulated" : "Libvirt";
                         });

}  // namespace
}  // namespace godwit::hypervisor
