#include "controllers/claim/provision.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace godwit::controllers::claim
