#include "contract/hypervisor/contract.hpp"

namespace godwit::hypervisor {
namespace {

TEST_P(HypervisorContract, CopiesADiskAndMovesTheGuestOntoTheCopy) {
  startGuest();
  const DiskSource copy = world_->makeDisk(Side::Source);
  ASSERT_TRUE(source_->beginCopy("guest", "vda", copy));
  EXPECT_EQ(source_->describe("guest")->disks.at(0).mirror->destination, copy);
  ASSERT_TRUE(awaitReadyMirror());

  ASSERT_TRUE(source_->pivot("guest", "vda"));

  const auto state = source_->describe("guest");
  EXPECT_EQ(state->disks.at(0).source, copy);
  EXPECT_FALSE(state->disks.at(0).mirror);
  EXPECT_TRUE(writesOn(Side::Source, copy));
}

TEST_P(HypervisorContract, HasTwoEqualCopiesOnceTheGuestStandsStillAndTheMirrorHasCaughtUp) {
  const DiskSource disk = startGuest();
  const DiskSource copy = world_->makeDisk(Side::Source);
  ASSERT_TRUE(source_->beginCopy("guest", "vda", copy));
  ASSERT_TRUE(awaitReadyMirror());
  ASSERT_TRUE(writesOn(Side::Source, disk));

  ASSERT_TRUE(source_->pause("guest"));
  ASSERT_TRUE(world_->settle([&] { return source_->describe("guest")->disks.at(0).mirror->hasCaughtUp(); }));
  ASSERT_TRUE(source_->destroy("guest"));

  EXPECT_EQ(world_->newestRecord(Side::Source, copy), world_->newestRecord(Side::Source, disk));
}

TEST_P(HypervisorContract, RefusesToPivotBeforeTheMirrorIsReady) {
  const DiskSource disk = startGuest();
  ASSERT_TRUE(source_->beginCopy("guest", "vda", world_->makeDisk(Side::Source)));
  EXPECT_EQ(source_->pivot("guest", "vda").error().code, Code::Conflict);
  EXPECT_EQ(source_->describe("guest")->disks.at(0).source, disk);
}

TEST_P(HypervisorContract, LimitsAndFreesACopyThatIsUnderWay) {
  startGuest();
  ASSERT_TRUE(source_->beginCopy("guest", "vda", world_->makeDisk(Side::Source)));
  EXPECT_TRUE(source_->tune("guest", {.bandwidthBytesPerSecond = 1 << 20}));
  EXPECT_FALSE(source_->describe("guest")->disks.at(0).mirror->ready);
  EXPECT_TRUE(source_->tune("guest", {}));
  EXPECT_TRUE(awaitReadyMirror());
}

TEST_P(HypervisorContract, RefusesToPivotWithoutAMirror) {
  startGuest();
  EXPECT_EQ(source_->pivot("guest", "vda").error().code, Code::NotFound);
}

TEST_P(HypervisorContract, StaysOnTheSourceWhenACopyIsCancelled) {
  const DiskSource disk = startGuest();
  ASSERT_TRUE(source_->beginCopy("guest", "vda", world_->makeDisk(Side::Source)));

  EXPECT_TRUE(source_->cancelCopy("guest", "vda"));

  EXPECT_FALSE(source_->describe("guest")->disks.at(0).mirror);
  EXPECT_EQ(source_->describe("guest")->disks.at(0).source, disk);
  EXPECT_TRUE(writesOn(Side::Source, disk));
  EXPECT_TRUE(source_->cancelCopy("guest", "vda"));
}

TEST_P(HypervisorContract, RefusesACopyOntoADiskOfAnotherSize) {
  startGuest();
  const DiskSource larger = world_->makeDisk(Side::Source, 2 * World::kDiskSize);
  EXPECT_EQ(source_->beginCopy("guest", "vda", larger).error().code, Code::Invalid);
  EXPECT_EQ(source_->beginCopy("guest", "vda", {.path = "/nonexistent/disk.img"}).error().code, Code::Invalid);
}

}  // namespace
}  // namespace godwit::hypervisor
