#include "storage/disks.hpp"

#include <gtest/gtest.h>

namespace godwit::storage {
namespace {

kinds::VirtualMachineInstanceSpec twoDisks() {
  kinds::VirtualMachineInstanceSpec spec;
  spec.volumes = {{"root", kinds::ClaimReference{"claim-a"}, std::nullopt},
                  {"data", std::nullopt, kinds::DataVolumeReference{"claim-b"}}};
  spec.domain.devices.disks = {
      {.name = "data", .disk = kinds::DiskDevice{"virtio"}, .lun = {}, .serial = "s1"},
      {.name = "root", .disk = kinds::DiskDevice{"virtio"}, .lun = {}, .serial = "", .bootOrder = 1}};
  return spec;
}

TEST(WantedDisks, StandInBootOrder) {
  const auto disks = wantedDisks(twoDisks());
  ASSERT_TRUE(disks);
  EXPECT_EQ(disks->at(0).target, "vda");
  EXPECT_EQ(disks->at(0).claim, "claim-a");
  EXPECT_EQ(disks->at(1).target, "vdb");
  EXPECT_EQ(disks->at(1).claim, "claim-b");
}

TEST(WantedDisks, NameTheDiskThatHasNoVolume) {
  auto spec = twoDisks();
  spec.volumes.pop_back();
  const auto disks = wantedDisks(spec);
  ASSERT_FALSE(disks);
  EXPECT_EQ(disks.error().message, "disk data has no volume of that name");
}

TEST(Locate, FindsTheImageInALocalVolume) {
  kinds::PersistentVolume volume;
  volume.spec.local = kinds::HostPath{"/volumes/pvc-1"};
  EXPECT_EQ(locate(volume)->path, "/volumes/pvc-1/disk.img");
}

TEST(Locate, RefusesAPathThatLeadsElsewhere) {
  kinds::PersistentVolume volume;
  volume.spec.hostPath = kinds::HostPath{"/volumes/../etc"};
  EXPECT_FALSE(locate(volume));
  volume.spec.hostPath = kinds::HostPath{"volumes"};
  EXPECT_FALSE(locate(volume));
}

TEST(Locate, RefusesAVolumeThatNoDriverKnows) { EXPECT_FALSE(locate(kinds::PersistentVolume{})); }

}  // namespace
}  // namespace godwit::storage
