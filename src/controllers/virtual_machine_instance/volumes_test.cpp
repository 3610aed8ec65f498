#include "controllers/virtual_machine_instance/volumes.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::virtual_machine_instance {
namespace {

TEST(DescribeMobility, LetsAGuestMoveWhoseVolumesSeveralNodesReach) {
  kinds::VirtualMachineInstanceStatus status;
  describeMobility(status, {{"root", true}, {"data", true}}, {});
  EXPECT_TRUE(kinds::isTrue(status.conditions, "LiveMigratable"));
  EXPECT_TRUE(kinds::isTrue(status.conditions, "StorageLiveMigratable"));
  EXPECT_EQ(status.migrationMethod, "LiveMigration");
}

TEST(DescribeMobility, NamesTheClaimThatOnlyOneNodeReaches) {
  kinds::VirtualMachineInstanceStatus status;
  describeMobility(status, {{"root", true}, {"data", false}}, {});
  const auto* condition = kinds::findCondition(status.conditions, "LiveMigratable");
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->status, "False");
  EXPECT_EQ(condition->reason, "DisksNotLiveMigratable");
  EXPECT_EQ(condition->message,
            "cannot migrate VMI: PVC data is not shared, live migration requires that all PVCs must be shared (using "
            "ReadWriteMany access mode)");
  EXPECT_TRUE(kinds::isTrue(status.conditions, "StorageLiveMigratable")) << "with its disks it can go";
  EXPECT_EQ(status.migrationMethod, "BlockMigration");
}

TEST(DescribeMobility, SaysSoWhenNobodyKnows) {
  kinds::VirtualMachineInstanceStatus status;
  describeMobility(status, {{"root", std::nullopt}}, {});
  EXPECT_EQ(kinds::findCondition(status.conditions, "LiveMigratable")->message,
            "cannot migrate VMI: Unable to determine if PVC root is shared, live migration requires that all PVCs must "
            "be shared (using ReadWriteMany access mode)");
}

}  // namespace
}  // namespace godwit::controllers::virtual_machine_instance
