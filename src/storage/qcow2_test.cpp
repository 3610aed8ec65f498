#include "storage/qcow2.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/scratch_directory_test.hpp"
#include "hypervisor/image_size.hpp"
#include "kinds/image_format.hpp"
#include "storage/disks.hpp"
#include "storage/file_images.hpp"
#include "storage/qemu_img.hpp"

namespace godwit::storage {
namespace {

namespace fs = std::filesystem;

// A volume of a class whose images are qcow2.
class ThinImage : public testing::Test {
 protected:
  ThinImage() {
    volume.metadata.name = "pvc-1";
    volume.metadata.annotations[std::string(kinds::kFormatAnnotation)] = "qcow2";
    volume.spec.local = kinds::HostPath{scratch.file("pvc-1")};
  }

  std::int64_t size() const { return hypervisor::imageSize({.path = image, .format = "qcow2"}).value().value_or(0); }
  bool isBlank() { return images.isBlank(volume, {.path = image, .format = "qcow2"}, "").value(); }

  ScratchDirectory scratch;
  const std::string image = scratch.file("pvc-1") + "/disk.img";
  kinds::PersistentVolume volume;
  FileImages images;
};

TEST_F(ThinImage, IsMadeWithTheSizeThatAGuestSees) {
  EXPECT_TRUE(isBlank()) << "there is none yet";
  ASSERT_TRUE(images.ensure(volume, 8 << 20));
  EXPECT_EQ(size(), 8 << 20);
  EXPECT_LT(fs::file_size(image), 1U << 20);
  EXPECT_TRUE(isBlank());
  EXPECT_EQ(images.ensure(volume, 9 << 20).error().code, Code::Invalid);
}

TEST_F(ThinImage, GrowsAndShrinksOnlyAsItIsAskedTo) {
  ASSERT_TRUE(images.grow(volume, 1 << 20)) << "there is none yet";
  ASSERT_TRUE(images.ensure(volume, 8 << 20));
  ASSERT_TRUE(images.grow(volume, 4 << 20));
  ASSERT_TRUE(images.shrink(volume, 12 << 20));
  EXPECT_EQ(size(), 8 << 20);
  ASSERT_TRUE(images.grow(volume, 12 << 20));
  EXPECT_EQ(size(), 12 << 20);
  ASSERT_TRUE(images.shrink(volume, 4 << 20));
  EXPECT_EQ(size(), 4 << 20);
}

TEST_F(ThinImage, IsNotBlankWhenThereIsAByteInIt) {
  const std::string bytes = scratch.file("bytes");
  std::ofstream(bytes) << std::string(1024, 'x');
  ASSERT_TRUE(images.ensure(volume, 8 << 20));
  ASSERT_EQ(askQemuImg("convert", {"-n", "-f", "raw", "-O", "qcow2", bytes, image})->status, 0);
  EXPECT_FALSE(isBlank());
}

TEST_F(ThinImage, IsNotLookedForHereWhenItIsOnNfs) {
  ASSERT_TRUE(images.ensure(volume, 8 << 20));
  volume.spec.local.reset();
  volume.spec.nfs = kinds::NfsVolume{"127.0.0.1", scratch.file("pvc-1")};
  EXPECT_EQ(images.ensure(volume, 9 << 20).error().code, Code::Unavailable);
  EXPECT_EQ(images.grow(volume, 12 << 20).error().code, Code::Unavailable);
  EXPECT_EQ(images.shrink(volume, 4 << 20).error().code, Code::Unavailable);
  EXPECT_EQ(images.isBlank(volume, locate(volume).value(), "").error().code, Code::Unavailable);
  EXPECT_TRUE(images.remove(volume));
  EXPECT_EQ(size(), 8 << 20);
}

TEST_F(ThinImage, IsNoneWhereSomethingElseHasItsName) {
  fs::create_directories(fs::path(image).parent_path());
  std::ofstream(image) << std::string(4096, 'x');
  EXPECT_EQ(images.ensure(volume, 1024).error().code, Code::Invalid);
}

}  // namespace
}  // namespace godwit::storage
