#include "controllers/data_volume/render.hpp"

#include <gtest/gtest.h>

#include "kinds/overhead.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::data_volume {
namespace {

class ClaimOfADataVolume : public testing::Test {
 protected:
  ClaimOfADataVolume() {
    wanted.resources.requests["storage"] = "94Mi";
    fast.metadata.name = "fast";
    fast.provisioner = kinds::words::kDirectoryProvisioner;
  }

  std::int64_t bytes() const {
    return kinds::storageBytes(renderClaim(volume, &fast, nullptr).spec.resources.requests);
  }

  kinds::PersistentVolumeClaimSpec wanted;
  kinds::DataVolume volume;
  kinds::StorageClass fast;
};

TEST_F(ClaimOfADataVolume, AsksForTheDiskWhereTheClassTakesNothingOfIt) {
  volume.spec.storage = wanted;
  EXPECT_EQ(bytes(), 94 << 20);
}

TEST_F(ClaimOfADataVolume, AsksForWhatAFilesystemTakesBesides) {
  fast.metadata.annotations["godwit.io/filesystem-overhead"] = "0.06";
  volume.spec.storage = wanted;
  EXPECT_EQ(bytes(), 100 << 20);
}

TEST_F(ClaimOfADataVolume, IsWhatWasWrittenWhereTheClaimItselfWas) {
  fast.metadata.annotations["godwit.io/filesystem-overhead"] = "0.06";
  volume.spec.pvc = wanted;
  EXPECT_EQ(bytes(), 94 << 20);
}

TEST_F(ClaimOfADataVolume, OfModeBlockHasNoFilesystem) {
  fast.metadata.annotations["godwit.io/filesystem-overhead"] = "0.06";
  wanted.volumeMode = kinds::kVolumeModeBlock;
  volume.spec.storage = wanted;
  EXPECT_EQ(bytes(), 94 << 20);
}

}  // namespace
}  // namespace godwit::controllers::data_volume
