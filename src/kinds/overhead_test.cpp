#include "kinds/overhead.hpp"

#include <gtest/gtest.h>

#include "kinds/expansion.hpp"

namespace godwit::kinds {
namespace {

constexpr std::int64_t kMebi = 1 << 20;

StorageClass classThatSays(const std::string& overhead) {
  StorageClass made;
  made.metadata.name = "fast";
  made.metadata.annotations["godwit.io/filesystem-overhead"] = overhead;
  return made;
}

PersistentVolume volumeOf(const std::string& size, const std::string& overhead) {
  PersistentVolume volume;
  volume.spec.capacity["storage"] = size;
  volume.metadata.annotations["godwit.io/filesystem-overhead"] = overhead;
  return volume;
}

TEST(FilesystemOverhead, IsNoneWhereNothingIsSaid) {
  EXPECT_EQ(overheadOf(StorageClass{}).value(), 0);
  EXPECT_EQ(withoutOverhead(1'000'001, 0), 1'000'001);
  EXPECT_EQ(withOverhead(1'000'001, 0), 1'000'001);
}

TEST(FilesystemOverhead, IsAFractionBelowOne) {
  EXPECT_EQ(overheadOf(classThatSays("0.06")).value(), 60);
  EXPECT_EQ(overheadOf(classThatSays("0")).value(), 0);
  for (const char* wrong : {"1", "-0.1", "6%", "a lot"}) EXPECT_FALSE(overheadOf(classThatSays(wrong))) << wrong;
  EXPECT_EQ(overheadOf(classThatSays("6%")).error().message,
            "storage class fast has the annotation godwit.io/filesystem-overhead '6%', which is not a fraction from 0 "
            "to below 1, such as 0.06");
}

TEST(FilesystemOverhead, LeavesWholeMebibytes) {
  EXPECT_EQ(withoutOverhead(100 * kMebi, 60), 94 * kMebi);
  EXPECT_EQ(withoutOverhead(99 * kMebi, 60), 93 * kMebi);
}

TEST(FilesystemOverhead, IsMadeUpForByAVolumeWithRoomForExactlyTheImage) {
  for (const std::int64_t overhead : {1, 55, 60, 333, 999})
    for (const std::int64_t image : {kMebi, 64 * kMebi, 1000 * kMebi, 7 * 1024 * 1024 * kMebi}) {
      const std::int64_t volume = withOverhead(image, overhead);
      EXPECT_EQ(withoutOverhead(volume, overhead), image) << overhead;
      EXPECT_LT(withoutOverhead(volume - 1, overhead), image) << overhead;
    }
}

TEST(FilesystemOverhead, CountsOnVolumesThatHaveAFilesystem) {
  PersistentVolume volume = volumeOf("100Mi", "0.06");
  EXPECT_EQ(roomOn(volume), 94 * kMebi);
  EXPECT_EQ(withoutOverhead(capacityFor(volume, 94 * kMebi), 60), 94 * kMebi);
  volume.spec.volumeMode = kVolumeModeBlock;
  EXPECT_EQ(roomOn(volume), 100 * kMebi);
}

TEST(FilesystemOverhead, IsNoReasonToGrow) {
  PersistentVolume volume = volumeOf("100Mi", "0.06");
  EXPECT_EQ(sizeOf(volume), 94 * kMebi);
  EXPECT_FALSE(isGrowing(volume));
  EXPECT_FALSE(isGrowing(withSize(volume, 94 * kMebi)));
  EXPECT_TRUE(isGrowing(withSize(volume, 93 * kMebi)));
}

TEST(FilesystemOverhead, IsKnownBeforeThereIsAVolume) {
  PersistentVolumeClaim claim;
  claim.spec.resources.requests["storage"] = "100Mi";
  const StorageClass made = classThatSays("0.06");
  EXPECT_EQ(roomAskedFor(claim, &made), 94 * kMebi);
  EXPECT_EQ(roomAskedFor(claim, nullptr), 100 * kMebi);
  claim.spec.volumeMode = kVolumeModeBlock;
  EXPECT_EQ(roomAskedFor(claim, &made), 100 * kMebi);
}

}  // namespace
}  // namespace godwit::kinds
