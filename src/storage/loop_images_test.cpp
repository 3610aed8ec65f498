#include "storage/loop_images.hpp"

#include <filesystem>
#include <future>
#include <set>

#include <gtest/gtest.h>

#include "base/scratch_directory_test.hpp"
#include "hypervisor/image_size.hpp"
#include "storage/disks.hpp"
#include "storage/loop_device.hpp"

namespace godwit::storage {
namespace {

namespace fs = std::filesystem;

class LoopImagesInADirectory : public testing::Test {
 protected:
  LoopImagesInADirectory() {
    volume.metadata.name = "pvc-1";
    volume.spec.volumeMode = kinds::kVolumeModeBlock;
    volume.spec.local = kinds::HostPath{directory + "/device"};
  }
  ~LoopImagesInADirectory() override { (void)detachAllBelow(scratch.path()); }

  std::optional<std::string> device() { return findLoopDevice(directory + "/backing.img").value(); }

  ScratchDirectory scratch;
  const std::string directory = scratch.file("pvc-1");
  kinds::PersistentVolume volume;
  LoopImages images;
};

TEST_F(LoopImagesInADirectory, MakesADeviceOfTheSizeAskedFor) {
  ASSERT_TRUE(images.ensure(volume, 1 << 20));
  EXPECT_TRUE(fs::is_block_file(directory + "/device"));
  EXPECT_EQ(hypervisor::imageSize(*locate(volume)).value(), 1 << 20);
}

TEST_F(LoopImagesInADirectory, EndsWithAWholeSector) {
  ASSERT_TRUE(images.ensure(volume, 1'000'000));
  EXPECT_EQ(hypervisor::imageSize(*locate(volume)).value(), 1'000'448);
}

TEST_F(LoopImagesInADirectory, FindsTheDeviceThatIsThere) {
  ASSERT_TRUE(images.ensure(volume, 1 << 20));
  const auto first = device();
  ASSERT_TRUE(images.ensure(volume, 1 << 20));
  EXPECT_EQ(device(), first);
}

TEST_F(LoopImagesInADirectory, PointsToTheDeviceThatIsTheVolumesNow) {
  ASSERT_TRUE(images.ensure(volume, 1 << 20));
  fs::remove(directory + "/device");
  fs::create_symlink("/dev/null", directory + "/device");
  ASSERT_TRUE(images.ensure(volume, 1 << 20));
  EXPECT_EQ(fs::read_symlink(directory + "/device"), device());
}

TEST_F(LoopImagesInADirectory, AttachesOneDeviceHoweverManyAsk) {
  ASSERT_TRUE(images.ensure(volume, 1 << 20));
  ASSERT_TRUE(detachAllBelow(scratch.path()));
  std::vector<std::future<Result<std::string>>> asking;
  for (int i = 0; i < 8; ++i)
    asking.push_back(std::async(std::launch::async, [&] { return attachLoopDevice(directory + "/backing.img"); }));
  std::set<std::string> given;
  for (auto& answer : asking) given.insert(answer.get().value());
  EXPECT_EQ(given.size(), 1U);
}

TEST_F(LoopImagesInADirectory, RefusesADeviceThatIsTooSmall) {
  ASSERT_TRUE(images.ensure(volume, 1 << 20));
  const auto refused = images.ensure(volume, 2 << 20);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "volume pvc-1 has 1048576 bytes in " + directory + "/device where 2097152 are needed");
}

TEST_F(LoopImagesInADirectory, GrowsADeviceAndNeverShrinksIt) {
  ASSERT_TRUE(images.ensure(volume, 1 << 20));
  const auto attached = device();
  ASSERT_TRUE(images.grow(volume, 2 << 20));
  ASSERT_TRUE(images.grow(volume, 1 << 20));
  EXPECT_EQ(hypervisor::imageSize(*locate(volume)).value(), 2 << 20);
  EXPECT_EQ(device(), attached);
}

TEST_F(LoopImagesInADirectory, RemovesADeviceOnceAndForAll) {
  ASSERT_TRUE(images.ensure(volume, 1 << 20));
  const auto attached = device();
  ASSERT_TRUE(images.remove(volume));
  EXPECT_FALSE(fs::exists(directory));
  EXPECT_FALSE(fs::exists("/sys/block/" + fs::path(*attached).filename().string() + "/loop"));
  EXPECT_TRUE(images.remove(volume));
}

TEST_F(LoopImagesInADirectory, GivesDevicesBackAndKeepsTheBytes) {
  ASSERT_TRUE(images.ensure(volume, 1 << 20));
  ASSERT_TRUE(detachAllBelow(scratch.path()));
  EXPECT_EQ(device(), std::nullopt);
  EXPECT_TRUE(fs::exists(directory + "/backing.img"));
}

TEST_F(LoopImagesInADirectory, LeavesAVolumeOfFilesAlone) {
  volume.spec.volumeMode = kinds::kVolumeModeFilesystem;
  EXPECT_EQ(images.ensure(volume, 1 << 20).error().code, Code::Invalid);
  EXPECT_EQ(images.remove(volume).error().code, Code::Invalid);
}

}  // namespace
}  // namespace godwit::storage
