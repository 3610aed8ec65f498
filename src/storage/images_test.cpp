#include "storage/images.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace godwit::storage {
namespace {

namespace fs = std::filesystem;

class FileImagesInADirectory : public testing::Test {
 protected:
  FileImagesInADirectory() {
    std::string pattern = fs::temp_directory_path() / "images-XXXXXX";
    directory = ::mkdtemp(pattern.data());
    image.path = directory / "pvc-1" / "disk.img";
  }
  ~FileImagesInADirectory() override { fs::remove_all(directory); }

  fs::path directory;
  hypervisor::DiskSource image;
  FileImages images;
};

TEST_F(FileImagesInADirectory, MakesASparseImageOfTheSizeAskedFor) {
  ASSERT_TRUE(images.ensure(image, 1 << 20));
  EXPECT_EQ(fs::file_size(image.path), 1U << 20);
}

TEST_F(FileImagesInADirectory, LeavesAnImageThatIsThereAsItIs) {
  fs::create_directories(directory / "pvc-1");
  std::ofstream(image.path) << std::string(4096, 'x');
  ASSERT_TRUE(images.ensure(image, 1024));
  EXPECT_EQ(fs::file_size(image.path), 4096U);
}

TEST_F(FileImagesInADirectory, RefusesAnImageThatIsTooSmall) {
  ASSERT_TRUE(images.ensure(image, 1024));
  const auto refused = images.ensure(image, 1025);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::Invalid);
}

TEST_F(FileImagesInADirectory, RemovesAnImageOnceAndForAll) {
  ASSERT_TRUE(images.ensure(image, 1024));
  ASSERT_TRUE(images.remove(image));
  EXPECT_FALSE(fs::exists(directory / "pvc-1"));
  EXPECT_TRUE(images.remove(image));
}

TEST_F(FileImagesInADirectory, NeitherMakesNorRemovesWhatIsOnTheNetwork) {
  image.type = hypervisor::DiskSource::Type::Network;
  ASSERT_TRUE(images.ensure(image, 1024));
  EXPECT_FALSE(fs::exists(image.path));
  image.type = hypervisor::DiskSource::Type::File;
  ASSERT_TRUE(images.ensure(image, 1024));
  image.type = hypervisor::DiskSource::Type::Network;
  ASSERT_TRUE(images.remove(image));
  EXPECT_TRUE(fs::exists(image.path));
}

TEST_F(FileImagesInADirectory, KeepsADirectoryWithSomethingElseInIt) {
  ASSERT_TRUE(images.ensure(image, 1024));
  std::ofstream(directory / "pvc-1" / "notes") << "mine";
  ASSERT_TRUE(images.remove(image));
  EXPECT_TRUE(fs::exists(directory / "pvc-1" / "notes"));
}

}  // namespace
}  // namespace godwit::storage
