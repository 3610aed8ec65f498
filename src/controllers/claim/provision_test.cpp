#include "controllers/claim/provision.hpp"

#include <gtest/gtest.h>

#include "kinds/words.hpp"

namespace godwit::controllers::claim {
namespace {

TEST(FittingVolume, HasTheLabelsThatTheClaimSelects) {
  kinds::PersistentVolume volume;
  kinds::PersistentVolumeClaim claim;
  EXPECT_TRUE(fits(volume, claim, nullptr));
  claim.spec.selector = kinds::LabelQuery{{{"release", "stable"}}, {}};
  EXPECT_FALSE(fits(volume, claim, nullptr));
  volume.metadata.labels["release"] = "stable";
  EXPECT_TRUE(fits(volume, claim, nullptr));
}

class ProvisionedVolume : public testing::Test {
 protected:
  ProvisionedVolume() {
    node.metadata.name = "node-1";
    node.metadata.labels["kubernetes.io/hostname"] = "node-1";
    node.metadata.annotations["godwit.io/volume-directory"] = "/volumes";
    claim.metadata.uid = "7";
    claim.spec.volumeMode = kinds::kVolumeModeBlock;
    block.metadata.name = "block";
    block.provisioner = kinds::words::kBlockProvisioner;
    local.metadata.name = "local";
    local.provisioner = kinds::words::kDirectoryProvisioner;
  }

  kinds::Node node;
  kinds::PersistentVolumeClaim claim;
  kinds::StorageClass block;
  kinds::StorageClass local;
};

TEST_F(ProvisionedVolume, OfClassBlockIsADeviceOfItsNode) {
  const auto volume = renderVolume(claim, block, &node).value();
  EXPECT_EQ(volume.spec.local->path, "/volumes/pvc-7/device");
  EXPECT_EQ(volume.spec.volumeMode, kinds::kVolumeModeBlock);
  EXPECT_EQ(volume.metadata.annotations.at("pv.kubernetes.io/provisioned-by"), "block.godwit.io");
  EXPECT_TRUE(kinds::isReachedFrom(volume, "node-1", node.metadata.labels));
  EXPECT_FALSE(kinds::isReachedFrom(volume, "node-2", {}));
}

TEST_F(ProvisionedVolume, OfADirectoryIsAFileWhereModeBlockIsAskedFor) {
  EXPECT_EQ(renderVolume(claim, local, &node)->spec.local->path, "/volumes/pvc-7/disk.img");
  local.parameters["sharedDirectory"] = "/shared";
  EXPECT_EQ(renderVolume(claim, local, nullptr)->spec.hostPath->path, "/shared/pvc-7/disk.img");
}

TEST_F(ProvisionedVolume, KnowsTheOverheadOfItsClass) {
  local.metadata.annotations["godwit.io/filesystem-overhead"] = "0.06";
  EXPECT_EQ(renderVolume(claim, local, &node)->metadata.annotations.at("godwit.io/filesystem-overhead"), "0.06");
  local.metadata.annotations["godwit.io/filesystem-overhead"] = "much";
  EXPECT_EQ(renderVolume(claim, local, &node).error().code, Code::Invalid);
}

TEST_F(ProvisionedVolume, HasImagesAsItsClassSays) {
  EXPECT_FALSE(renderVolume(claim, local, &node)->metadata.annotations.contains("godwit.io/format"));
  local.parameters["format"] = "qcow2";
  EXPECT_EQ(renderVolume(claim, local, &node)->metadata.annotations.at("godwit.io/format"), "qcow2");
  local.parameters["format"] = "vmdk";
  EXPECT_EQ(renderVolume(claim, local, &node).error().code, Code::Invalid);
}

TEST_F(ProvisionedVolume, OfClassIscsiIsALunThatAllNodesReach) {
  kinds::StorageClass iscsi;
  iscsi.metadata.name = "iscsi";
  iscsi.provisioner = kinds::words::kIscsiProvisioner;
  EXPECT_EQ(renderVolume(claim, iscsi, nullptr).error().message,
            "storage class iscsi needs the parameters portal, control and directory");
  iscsi.parameters = {{"portal", "127.0.0.1:3260"}, {"control", "/sock/tgt"}, {"directory", "/luns"}};
  const auto volume = renderVolume(claim, iscsi, nullptr).value();
  EXPECT_EQ(volume.spec.iscsi->iqn, "iqn.2026-11.io.godwit:pvc-7");
  EXPECT_EQ(volume.spec.iscsi->targetPortal, "127.0.0.1:3260");
  EXPECT_EQ(volume.spec.iscsi->lun, 1);
  EXPECT_TRUE(kinds::isReachedFrom(volume, "node-2", {}));
}

TEST_F(ProvisionedVolume, OfModeFilesystemIsTheDirectoryOrStillTheDevice) {
  claim.spec.volumeMode = kinds::kVolumeModeFilesystem;
  EXPECT_EQ(renderVolume(claim, local, &node)->spec.local->path, "/volumes/pvc-7");
  const auto device = renderVolume(claim, block, &node).value();
  EXPECT_EQ(device.spec.local->path, "/volumes/pvc-7/device");
  EXPECT_EQ(device.spec.volumeMode, kinds::kVolumeModeFilesystem);
}

}  // namespace
}  // namespace godwit::controllers::claim
