#include "storage/comparison.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "base/scratch_directory_test.hpp"
#include "storage/qcow2.hpp"

namespace godwit::storage {
namespace {

using hypervisor::DiskSource;

constexpr std::int64_t kBytes = 4 << 20;

class ComparisonOfTwoFiles : public testing::Test {
 protected:
  ComparisonOfTwoFiles() {
    for (const DiskSource* disk : {&left, &right}) {
      std::ofstream(disk->path, std::ios::binary).put('x');
      std::filesystem::resize_file(disk->path, kBytes);
    }
  }

  static void put(const DiskSource& disk, std::int64_t at, char letter) {
    std::fstream file(disk.path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(at);
    file.put(letter);
  }

  const ScratchDirectory directory;
  const DiskSource left{.path = directory.file("left")};
  const DiskSource right{.path = directory.file("right")};
};

TEST_F(ComparisonOfTwoFiles, FindsThemEqual) { EXPECT_EQ(firstDifference(left, right, {0, kBytes}), std::nullopt); }

TEST_F(ComparisonOfTwoFiles, NamesTheSectorThatDiffers) {
  put(right, (1 << 20) + 700, 'y');
  EXPECT_EQ(firstDifference(left, right, {0, kBytes}), (1 << 20) + 512);
}

TEST_F(ComparisonOfTwoFiles, LooksAtTheStretchAlone) {
  put(right, 3 << 20, 'y');
  EXPECT_EQ(firstDifference(left, right, {0, 3 << 20}), std::nullopt);
  EXPECT_EQ(firstDifference(left, right, {2 << 20, 2 << 20}), 3 << 20);
  put(right, 3 << 20, 0);
  EXPECT_EQ(firstDifference(left, right, {2 << 20, 2 << 20}), std::nullopt);
}

TEST_F(ComparisonOfTwoFiles, ReadsAsAGuestDoes) {
  const DiskSource thin{.path = directory.file("thin"), .format = "qcow2"};
  ASSERT_TRUE(makeQcow2(thin.path, kBytes));
  EXPECT_EQ(firstDifference(left, thin, {0, kBytes}), 0);
  EXPECT_EQ(firstDifference(left, thin, {512, kBytes - 512}), std::nullopt);
}

TEST_F(ComparisonOfTwoFiles, SaysWhatCannotBeRead) {
  const auto missing = firstDifference(left, {.path = directory.file("none")}, {0, kBytes});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Code::Unavailable);
  EXPECT_NE(missing.error().message.find("No such file"), std::string::npos) << missing.error().message;
  DiskSource locked{DiskSource::Type::Network, "iqn.2013-07.com.example:a/1", "raw", {.hosts = {{"127.0.0.1", 1}}}};
  locked.remote.login = {"user", "secret"};
  EXPECT_EQ(firstDifference(left, locked, {0, kBytes}).error().code, Code::Invalid);
}

}  // namespace
}  // namespace godwit::storage
