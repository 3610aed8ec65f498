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

TEST(Images, AreFilesHereAndOnNfsAndNothingElse) {
  using Type = hypervisor::DiskSource::Type;
  EXPECT_TRUE(isImage({Type::File, "/volumes/a/disk.img"}));
  EXPECT_TRUE(isImage({Type::Network, "/exports/a/disk.img", "raw", {.protocol = hypervisor::Protocol::Nfs}}));
  EXPECT_FALSE(isImage({Type::Block, "/dev/a"}));
  EXPECT_FALSE(
      isImage({Type::Network, "iqn.2013-07.com.example:a/1", "raw", {.protocol = hypervisor::Protocol::Iscsi}}));
}

TEST(WantedDisks, StandInBootOrder) {
  const auto disks = wantedDisks(twoDisks());
  ASSERT_TRUE(disks);
  EXPECT_EQ(disks->at(0).target, "vda");
  EXPECT_EQ(disks->at(0).claim, "claim-a");
  EXPECT_EQ(disks->at(1).target, "vdb");
  EXPECT_EQ(disks->at(1).claim, "claim-b");
}

TEST(WantedDisks, KeepTheTargetsThatAreOnRecord) {
  kinds::VolumeStatus data;
  data.name = "data";
  data.target = "vda";
  kinds::VolumeStatus leaving;
  leaving.name = "gone";
  leaving.target = "vdb";
  const auto disks = wantedDisks(twoDisks(), {data, leaving});
  ASSERT_TRUE(disks);
  EXPECT_EQ(disks->at(1).target, "vda");
  EXPECT_EQ(disks->at(0).target, "vdc") << "what is leaving still has its name";
}

TEST(WantedDisks, NameTheDiskThatHasNoVolume) {
  auto spec = twoDisks();
  spec.volumes.pop_back();
  const auto disks = wantedDisks(spec);
  ASSERT_FALSE(disks);
  EXPECT_EQ(disks.error().message, "disk data has no volume of that name");
}

// As the first VMIs were written.
kinds::DiskSpec onClaim(const std::string& claim, const std::string& bus, const std::string& device) {
  kinds::DiskSpec disk;
  disk.type = "PersistentVolumeClaim";
  disk.device = "disk";
  disk.source = kinds::DiskClaim{claim};
  disk.target = kinds::DiskTarget{bus, device};
  return disk;
}

TEST(WantedDisks, MayNameTheirClaimAndTheirPlaceThemselves) {
  kinds::VirtualMachineInstanceSpec spec;
  spec.domain.devices.disks = {onClaim("disk-01", "scsi", "sda")};
  const auto disks = wantedDisks(spec);
  ASSERT_TRUE(disks);
  EXPECT_EQ(disks->at(0).target, "sda");
  EXPECT_EQ(disks->at(0).bus, "scsi");
  EXPECT_EQ(disks->at(0).claim, "disk-01");
}

TEST(WantedDisks, LeaveThePlaceAloneThatAnotherAsksFor) {
  auto spec = twoDisks();
  spec.domain.devices.disks.push_back(onClaim("claim-c", "virtio", "vda"));
  const auto disks = wantedDisks(spec);
  ASSERT_TRUE(disks);
  EXPECT_EQ(disks->at(0).target, "vdb");
  EXPECT_EQ(disks->at(1).target, "vdc");
  EXPECT_EQ(disks->at(2).target, "vda");
}

TEST(WantedDisks, CannotBeTwoInOnePlace) {
  kinds::VirtualMachineInstanceSpec spec;
  spec.domain.devices.disks = {onClaim("a", "scsi", "sda"), onClaim("b", "scsi", "sda")};
  EXPECT_EQ(wantedDisks(spec).error().message, "two disks are to be sda");
}

TEST(WantedDisks, AreOfATypeThatADriverKnows) {
  kinds::VirtualMachineInstanceSpec spec;
  spec.domain.devices.disks = {onClaim("a", "scsi", "sda")};
  spec.domain.devices.disks[0].type = "Floppy";
  EXPECT_EQ(wantedDisks(spec).error().message, "disk sda has the type Floppy, which no driver knows");
}

TEST(WantedDisks, HavePlainNames) {
  auto spec = twoDisks();
  spec.domain.devices.disks[0].name = spec.volumes[1].name = "x'><y";
  EXPECT_EQ(wantedDisks(spec).error().message,
            "disk 'x'><y' has a name that is not made of letters, digits and dashes");
  spec.domain.devices.disks = {onClaim("a", "scsi", "sd'><a")};
  EXPECT_EQ(wantedDisks(spec).error().message,
            "disk 'sd'><a' has a name that is not made of letters, digits and dashes");
}

TEST(WantedDisks, HaveAClaimIfTheySaySo) {
  kinds::VirtualMachineInstanceSpec spec;
  spec.domain.devices.disks = {onClaim("", "scsi", "sda")};
  spec.domain.devices.disks[0].name = "root";
  EXPECT_EQ(wantedDisks(spec).error().message, "disk root names no claim");
}

TEST(Locate, FindsTheImageInALocalVolume) {
  kinds::PersistentVolume volume;
  volume.spec.local = kinds::HostPath{"/volumes/pvc-1"};
  EXPECT_EQ(locate(volume)->path, "/volumes/pvc-1/disk.img");
}

TEST(Locate, TakesADeviceAsItIs) {
  kinds::PersistentVolume volume;
  volume.spec.volumeMode = kinds::kVolumeModeBlock;
  volume.spec.local = kinds::HostPath{"/dev/vg/root"};
  EXPECT_EQ(*locate(volume), (hypervisor::DiskSource{hypervisor::DiskSource::Type::Block, "/dev/vg/root", "raw"}));
}

TEST(Locate, FindsWhatTheClassMakesWhicheverModeWasAskedFor) {
  kinds::PersistentVolume volume;
  auto& maker = volume.metadata.annotations["pv.kubernetes.io/provisioned-by"];
  volume.spec.local = kinds::HostPath{"/volumes/pvc-1/device"};
  maker = "block.godwit.io";
  EXPECT_EQ(*locate(volume),
            (hypervisor::DiskSource{hypervisor::DiskSource::Type::Block, "/volumes/pvc-1/device", "raw"}));
  volume.spec.local = kinds::HostPath{"/volumes/pvc-1/disk.img"};
  volume.spec.volumeMode = kinds::kVolumeModeBlock;
  maker = "directory.godwit.io";
  EXPECT_EQ(*locate(volume),
            (hypervisor::DiskSource{hypervisor::DiskSource::Type::File, "/volumes/pvc-1/disk.img", "raw"}));
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
