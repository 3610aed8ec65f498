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

TEST(FormatOfAVolume, IsRawWhereItIsTheBareDisk) {
  PersistentVolume volume;
  EXPECT_EQ(formatOf(volume), "raw");
  volume.metadata.annotations["godwit.io/format"] = "qcow2";
  EXPECT_EQ(formatOf(volume), "qcow2");
  volume.spec.volumeMode = kVolumeModeBlock;
  EXPECT_EQ(formatOf(volume), "raw");
}

}  // namespace
}  // namespace godwit::kinds
