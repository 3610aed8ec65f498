#include "kinds/image_format.hpp"

#include <gtest/gtest.h>

#include "kinds/words.hpp"

namespace godwit::kinds {
namespace {

TEST(FormatOfAClass, IsRawUnlessItsDirectoriesAreToHaveOtherImages) {
  StorageClass thin;
  thin.metadata.name = "thin";
  thin.provisioner = words::kDirectoryProvisioner;
  EXPECT_EQ(formatOf(thin).value(), "raw");
  thin.parameters["format"] = "qcow2";
  EXPECT_EQ(formatOf(thin).value(), "qcow2");
  thin.provisioner = words::kBlockProvisioner;
  EXPECT_EQ(formatOf(thin).error().message,
            "storage class thin has the parameter format 'qcow2'; it may be raw, or qcow2 where the provisioner is "
            "directory.godwit.io");
}

// A directory of its node.
PersistentVolume volumeSaying(const std::string& format) {
  PersistentVolume volume;
  volume.metadata.name = "pv001";
  volume.metadata.annotations["godwit.io/format"] = format;
  volume.spec.local = HostPath{"/volumes/pv001"};
  return volume;
}

std::string complaintOf(const std::string& format) {
  return "volume pv001 has the annotation godwit.io/format '" + format +
         "'; it may be raw, or qcow2 where the volume is a directory, here or on NFS, of mode Filesystem";
}

TEST(FormatOfAVolume, IsWhatADirectorySaysOfItsImage) {
  EXPECT_EQ(formatOf(PersistentVolume{}), "raw");
  EXPECT_EQ(formatOf(volumeSaying("raw")), "raw");
  PersistentVolume volume = volumeSaying("qcow2");
  EXPECT_EQ(formatOf(volume), "qcow2");
  volume.spec.local.reset();
  volume.spec.nfs = NfsVolume{"nas", "/exports/vm"};
  EXPECT_EQ(formatOf(volume), "qcow2");
}

TEST(FormatOfAVolume, IsRawWhereAClassHasMadeTheBareDisk) {
  PersistentVolume volume = volumeSaying("qcow2");
  volume.spec.volumeMode = kVolumeModeBlock;
  volume.metadata.annotations[std::string(words::kProvisionedBy)] = words::kDirectoryProvisioner;
  EXPECT_EQ(formatOf(volume), "raw");
}

TEST(FormatOfAVolume, IsRefusedWhereItCannotBe) {
  EXPECT_EQ(formatOf(volumeSaying("vmdk")).error().message, complaintOf("vmdk"));
  const auto refuses = [](void (*bend)(PersistentVolume&)) {
    PersistentVolume volume = volumeSaying("qcow2");
    bend(volume);
    const auto format = formatOf(volume);
    return !format && format.error().message == complaintOf("qcow2");
  };
  EXPECT_TRUE(refuses([](PersistentVolume& volume) { volume.spec.iscsi.emplace(); }));
  EXPECT_TRUE(refuses([](PersistentVolume& volume) { volume.spec.rbd.emplace(); }));
  EXPECT_TRUE(refuses([](PersistentVolume& volume) { volume.spec.volumeMode = kVolumeModeBlock; }));
  EXPECT_TRUE(refuses([](PersistentVolume& volume) {
    volume.metadata.annotations[std::string(words::kProvisionedBy)] = words::kBlockProvisioner;
  }));
}

}  // namespace
}  // namespace godwit::kinds
