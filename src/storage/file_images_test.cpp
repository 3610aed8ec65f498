#include "storage/file_images.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/scratch_directory_test.hpp"

namespace godwit::storage {
namespace {

namespace fs = std::filesystem;

class FileImagesInADirectory : public testing::Test {
 protected:
  FileImagesInADirectory() {
    volume.metadata.name = "pvc-1";
    volume.spec.local = kinds::HostPath{directory};
  }

  ScratchDirectory scratch;
  const std::string directory = scratch.file("pvc-1");
  const std::string image = directory + "/disk.img";
  kinds::PersistentVolume volume;
  FileImages images;
};

TEST_F(FileImagesInADirectory, MakesASparseImageOfTheSizeAskedFor) {
  ASSERT_TRUE(images.ensure(volume, 1 << 20));
  EXPECT_EQ(fs::file_size(image), 1U << 20);
}

TEST_F(FileImagesInADirectory, LeavesAnImageThatIsThereAsItIs) {
  fs::create_directories(directory);
  std::ofstream(image) << std::string(4096, 'x');
  ASSERT_TRUE(images.ensure(volume, 1024));
  EXPECT_EQ(fs::file_size(image), 4096U);
}

TEST_F(FileImagesInADirectory, RefusesAnImageThatIsTooSmall) {
  ASSERT_TRUE(images.ensure(volume, 1024));
  const auto refused = images.ensure(volume, 1025);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::Invalid);
  EXPECT_EQ(refused.error().message, "volume pvc-1 has 1024 bytes in " + image + " where 1025 are needed");
}

TEST_F(FileImagesInADirectory, GrowsAnImageAndNeverShrinksIt) {
  ASSERT_TRUE(images.grow(volume, 4096)) << "there is none yet";
  EXPECT_FALSE(fs::exists(image));
  ASSERT_TRUE(images.ensure(volume, 1024));
  ASSERT_TRUE(images.grow(volume, 4096));
  ASSERT_TRUE(images.grow(volume, 2048));
  EXPECT_EQ(fs::file_size(image), 4096U);
}

TEST_F(FileImagesInADirectory, ShrinksAnImageAndNeverGrowsIt) {
  ASSERT_TRUE(images.shrink(volume, 1024)) << "there is none yet";
  EXPECT_FALSE(fs::exists(image));
  ASSERT_TRUE(images.ensure(volume, 4096));
  ASSERT_TRUE(images.shrink(volume, 1024));
  ASSERT_TRUE(images.shrink(volume, 2048));
  EXPECT_EQ(fs::file_size(image), 1024U);
}

TEST_F(FileImagesInADirectory, RemovesAnImageOnceAndForAll) {
  ASSERT_TRUE(images.ensure(volume, 1024));
  ASSERT_TRUE(images.remove(volume));
  EXPECT_FALSE(fs::exists(directory));
  EXPECT_TRUE(images.remove(volume));
}

TEST_F(FileImagesInADirectory, MakesNothingOnTheNetwork) {
  volume.spec.iscsi = kinds::IscsiVolume{"example.com", "iqn.2026-01.dev.godwit:disks", 1, "", false, std::nullopt};
  ASSERT_TRUE(images.ensure(volume, 1024));
  EXPECT_FALSE(fs::exists(directory));
}

TEST_F(FileImagesInADirectory, RemovesNothingOnTheNetwork) {
  ASSERT_TRUE(images.ensure(volume, 1024));
  volume.spec.iscsi = kinds::IscsiVolume{"example.com", "iqn.2026-01.dev.godwit:disks", 1, "", false, std::nullopt};
  ASSERT_TRUE(images.remove(volume));
  EXPECT_TRUE(fs::exists(image));
}

TEST_F(FileImagesInADirectory, KeepsADirectoryWithSomethingElseInIt) {
  ASSERT_TRUE(images.ensure(volume, 1024));
  std::ofstream(directory + "/notes") << "mine";
  ASSERT_TRUE(images.remove(volume));
  EXPECT_TRUE(fs::exists(directory + "/notes"));
}

TEST_F(FileImagesInADirectory, RefusesADeviceThatIsNotOne) {
  volume.spec.volumeMode = kinds::kVolumeModeBlock;
  EXPECT_EQ(images.ensure(volume, 1024).error().message,
            "volume pvc-1 has mode Block, but " + directory + ": No such file or directory");
  std::ofstream(directory) << std::string(4096, 'x');
  EXPECT_EQ(images.ensure(volume, 1024).error().message,
            "volume pvc-1 has mode Block, but " + directory + " is no block device");
  EXPECT_TRUE(images.remove(volume));
  EXPECT_TRUE(fs::exists(directory));
}

}  // namespace
}  // namespace godwit::storage
