#include "contract/hypervisor/contract.hpp"

namespace godwit::hypervisor {
namespace {

constexpr std::int64_t kLarger = World::kDiskSize + (64 << 20);

TEST_P(HypervisorContract, MakesADiskLargerUnderARunningGuest) {
  const DiskSource disk = startGuest();

  ASSERT_TRUE(source_->resize("guest", "vda", kLarger));

  EXPECT_TRUE(writesOn(Side::Source, disk));
  EXPECT_EQ(source_->beginCopy("guest", "vda", world_->makeDisk(Side::Source)).error().code, Code::Invalid)
      << "what is as large as the disk was is too small";
  const DiskSource copy = world_->makeDisk(Side::Source, kLarger);
  ASSERT_TRUE(source_->beginCopy("guest", "vda", copy));
  ASSERT_TRUE(awaitReadyMirror());
  ASSERT_TRUE(source_->pivot("guest", "vda"));
  EXPECT_TRUE(writesOn(Side::Source, copy));
}

TEST_P(HypervisorContract, TellsTheSizeOfADisk) {
  startGuest();
  EXPECT_EQ(source_->diskSize("guest", "vda").value(), World::kDiskSize);
  ASSERT_TRUE(source_->resize("guest", "vda", kLarger));
  EXPECT_EQ(source_->diskSize("guest", "vda").value(), kLarger);
  EXPECT_EQ(source_->diskSize("guest", "vdb").error().code, Code::NotFound);
  EXPECT_EQ(source_->diskSize("nobody", "vda").error().code, Code::NotFound);
}

TEST_P(HypervisorContract, MakesADiskLargerOnlyOnce) {
  const DiskSource disk = startGuest();
  EXPECT_TRUE(source_->resize("guest", "vda", World::kDiskSize));
  EXPECT_TRUE(source_->resize("guest", "vda", kLarger));
  EXPECT_TRUE(source_->resize("guest", "vda", kLarger));
  EXPECT_TRUE(writesOn(Side::Source, disk));
}

TEST_P(HypervisorContract, NeverMakesADiskSmaller) {
  const DiskSource disk = startGuest();
  EXPECT_EQ(source_->resize("guest", "vda", World::kDiskSize - 512).error().code, Code::Invalid);
  EXPECT_TRUE(writesOn(Side::Source, disk));
}

TEST_P(HypervisorContract, KeepsTheSizeOfADiskThatIsMirrored) {
  startGuest();
  ASSERT_TRUE(source_->beginCopy("guest", "vda", world_->makeDisk(Side::Source)));
  EXPECT_EQ(source_->resize("guest", "vda", kLarger).error().code, Code::Conflict);
  ASSERT_TRUE(source_->cancelCopy("guest", "vda"));
  EXPECT_TRUE(source_->resize("guest", "vda", kLarger));
}

TEST_P(HypervisorContract, KeepsTheSizeOfADiskWhoseGuestIsOnItsWay) {
  startGuest();
  MigrationOrder migration = order();
  migration.copyDisks["vda"] = world_->makeDisk(Side::Target);
  beginMigration(migration);
  EXPECT_EQ(source_->resize("guest", "vda", kLarger).error().code, Code::Conflict);
}

TEST_P(HypervisorContract, CannotResizeWhatIsNotThere) {
  EXPECT_EQ(source_->resize("guest", "vda", kLarger).error().code, Code::NotFound);
  startGuest();
  EXPECT_EQ(source_->resize("guest", "vdz", kLarger).error().code, Code::NotFound);
}

}  // namespace
}  // namespace godwit::hypervisor
