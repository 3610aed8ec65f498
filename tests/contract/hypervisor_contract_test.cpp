#include "contract/hypervisor/contract.hpp"

namespace godwit::hypervisor {
namespace {

TEST_P(HypervisorContract, DescribesTheDomainItStarted) {
  const DiskSource disk = startGuest();

  const auto state = source_->describe("guest");

  ASSERT_TRUE(state);
  EXPECT_EQ(state->uuid, specWith(disk).uuid);
  EXPECT_EQ(state->owner, "vms/guest <&>");
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

INSTANTIATE_TEST_SUITE_P(AllBackends, HypervisorContract, testing::Values(Backend::Simulated, Backend::Libvirt),
                         [](const auto& tested) {
                           return tested.param == Backend::Simulated ? "Simulated" : "Libvirt";
                         });

}  // namespace
}  // namespace godwit::hypervisor
