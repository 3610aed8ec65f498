#include "kinds/expansion.hpp"

#include <gtest/gtest.h>

#include "kinds/words.hpp"

namespace godwit::kinds {
namespace {

constexpr std::int64_t kMi = 1 << 20;

PersistentVolume volumeOf64Mi() {
  PersistentVolume volume;
  volume.metadata.annotations[std::string(words::kProvisionedBy)] = words::kDirectoryProvisioner;
  volume.spec.capacity["storage"] = "64Mi";
  return volume;
}

TEST(VolumeSize, IsTheCapacityUntilAnotherIsOnRecord) {
  PersistentVolume volume = volumeOf64Mi();
  EXPECT_EQ(sizeOf(volume), 64 * kMi);
  EXPECT_FALSE(isGrowing(volume));
  volume = withSize(volume, sizeOf(volume));
  volume.spec.capacity["storage"] = "128Mi";
  EXPECT_EQ(sizeOf(volume), 64 * kMi);
  EXPECT_TRUE(isGrowing(volume));
  EXPECT_FALSE(isGrowing(withSize(volume, 128 * kMi)));
}

TEST(VolumeSize, MayGrowWhereGodwitMadeItAndTheClassAllowsIt) {
  PersistentVolume volume = volumeOf64Mi();
  StorageClass storageClass;
  storageClass.provisioner = words::kDirectoryProvisioner;
  EXPECT_FALSE(mayGrow(volume, storageClass));
  storageClass.allowVolumeExpansion = true;
  EXPECT_TRUE(mayGrow(volume, storageClass));
  volume.metadata.annotations.clear();
  EXPECT_FALSE(mayGrow(volume, storageClass)) << "somebody made it by hand";
  volume.metadata.annotations[std::string(words::kProvisionedBy)] = storageClass.provisioner = "csi.example.com";
  EXPECT_FALSE(mayGrow(volume, storageClass)) << "somebody else's driver made it";
}

object::Document claim(std::string_view spec, std::string_view phase = "Bound") {
  return {{"spec", json::parse(std::string(spec))},
          {"status", {{"phase", phase}, {"capacity", {{"storage", "64Mi"}}}}}};
}

const FieldProblem kImmutable = {"spec",
                                 "Forbidden: spec is immutable after creation except resources.requests and "
                                 "volumeAttributesClassName for bound claims"};
const std::string kOf64Mi = R"({"volumeName": "pv", "resources": {"requests": {"storage": "64Mi"}}})";
const std::string kOf1Gi = R"({"volumeName": "pv", "resources": {"requests": {"storage": "1Gi"}}})";

using Problems = std::vector<FieldProblem>;

TEST(ClaimUpdate, MayAskForMoreOnceItIsBound) {
  EXPECT_EQ(checkClaimUpdate(claim(kOf64Mi), claim(kOf1Gi)), Problems{});
  EXPECT_EQ(checkClaimUpdate(claim(kOf64Mi, "Pending"), claim(kOf1Gi, "Pending")), Problems{kImmutable});
}

TEST(ClaimUpdate, MayTakeBackOnlyWhatItHasNotGot) {
  const std::string of100Mi = R"({"volumeName": "pv", "resources": {"requests": {"storage": "100Mi"}}})";
  EXPECT_EQ(checkClaimUpdate(claim(kOf1Gi), claim(of100Mi)), Problems{});
  EXPECT_EQ(checkClaimUpdate(claim(kOf1Gi), claim(kOf64Mi)),
            (Problems{{"spec.resources.requests.storage", "Forbidden: field can not be less than status.capacity"}}));
}

TEST(ClaimUpdate, IsGivenItsVolumeOnce) {
  EXPECT_EQ(checkClaimUpdate(claim("{}", "Pending"), claim(R"({"volumeName": "pv"})", "Pending")), Problems{});
  EXPECT_EQ(checkClaimUpdate(claim(kOf64Mi),
                             claim(R"({"volumeName": "other", "resources": {"requests": {"storage": "64Mi"}}})")),
            Problems{kImmutable});
}

TEST(ClaimUpdate, KeepsTheRestOfItsSpec) {
  EXPECT_EQ(checkClaimUpdate(claim(R"({"accessModes": ["ReadWriteOnce"]})"), claim(R"({"accessModes": []})")),
            Problems{kImmutable});
}

}  // namespace
}  // namespace godwit::kinds
