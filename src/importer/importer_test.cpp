#include "importer/importer.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/scratch_directory_test.hpp"

namespace godwit::importer {
namespace {

namespace fs = std::filesystem;

class Copying : public testing::Test {
 protected:
  Copying() {
    fs::create_directory(directory.file("papers"));
    std::ofstream original(directory.file("original.img"));
    original << "boot";
    original.close();
    fs::resize_file(directory.file("original.img"), 8 << 20);
    orders.original = storage::Place{directory.file("original.img")};
    orders.target = storage::Place{directory.file("volume/disk.img")};
    orders.targetBytes = 16 << 20;
  }

  Verdict fillIt() {
    return fill(orders, {.directory = directory.file("papers"), .note = [this](const Progress& progress) -> Result<> {
                           last = progress;
                           return goesOn;
                         }});
  }

  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(directory.file("volume"))) names.push_back(entry.path().filename());
    return names;
  }

  const ScratchDirectory directory;
  Orders orders;
  Result<> goesOn;
  Progress last;
};

TEST_F(Copying, MakesAFileOfTheVolumesSizeWithTheSameBytesAndHoles) {
  ASSERT_EQ(fillIt(), (Verdict{true, "Completed", ""}));
  const std::string copy = readFile(orders.target.path).value();
  EXPECT_EQ(copy.size(), 16U << 20);
  EXPECT_EQ(copy.substr(0, 5), std::string("boot\0", 5));
  EXPECT_EQ(copy.find_first_not_of('\0', 4), std::string::npos);
  struct stat found = {};
  ASSERT_EQ(stat(orders.target.path.c_str(), &found), 0);
  EXPECT_LT(found.st_blocks * 512, 1 << 20);
  EXPECT_EQ(percentage(last), "100.00%");
}

TEST_F(Copying, ConvertsToAndFromWhatTheVolumesAre) {
  orders.target.format = "qcow2";
  ASSERT_EQ(fillIt(), (Verdict{true, "Completed", ""}));
  EXPECT_LT(fs::file_size(orders.target.path), 1U << 20);
  orders.original = orders.target;
  orders.target = storage::Place{directory.file("volume/back.img")};
  ASSERT_EQ(fillIt(), (Verdict{true, "Completed", ""}));
  const std::string copy = readFile(orders.target.path).value();
  EXPECT_EQ(copy.size(), 16U << 20);
  EXPECT_EQ(copy.find_first_not_of('\0', 4), std::string::npos);
  EXPECT_EQ(copy.substr(0, 4), "boot");
}

TEST_F(Copying, BeginsAgainWhereAnotherHasLeftOff) {
  fs::create_directory(directory.file("volume"));
  std::ofstream(directory.file("volume/disk.img.draft")) << std::string(12 << 20, 'x');
  ASSERT_TRUE(fillIt().filled);
  EXPECT_EQ(readFile(orders.target.path)->find('x'), std::string::npos);
  EXPECT_EQ(left(), std::vector<std::string>{"disk.img"});
}

TEST_F(Copying, RefusesWhatDoesNotFitAndLeavesNothing) {
  orders.targetBytes = 4 << 20;
  EXPECT_EQ(fillIt(),
            (Verdict{false, "UnusableImage",
                     "the image is larger than the volume: 8Mi (8388608 bytes) where 4Mi (4194304 bytes) fit"}));
  EXPECT_EQ(left(), std::vector<std::string>{});
}

TEST_F(Copying, IsGivenUpWithoutATrace) {
  fs::create_directory(directory.file("volume"));
  std::ofstream(directory.file("volume/disk.img.draft")) << "half";
  goesOn = fail(Code::Gone, "it was given up");
  EXPECT_EQ(fillIt(), (Verdict{false, "Cancelled", "it was given up"}));
  EXPECT_EQ(left(), std::vector<std::string>{});
}

TEST_F(Copying, SaysThatTheOriginalIsMissing) {
  orders.original->path = directory.file("missing.img");
  EXPECT_EQ(fillIt().reason, "TransferFailed");
}

TEST(Verdict, IsReadAsItWasWrittenAndAbsentBefore) {
  const ScratchDirectory directory;
  const std::string path = directory.file("journal");
  EXPECT_EQ(readVerdict(path).value(), std::nullopt);
  const Verdict verdict{false, "NotFound", "the server answers 404"};
  ASSERT_TRUE(writeVerdict(path, verdict));
  EXPECT_EQ(readVerdict(path).value(), verdict);
}

TEST(Orders, AreReadAsTheyWereWritten) {
  Orders orders;
  orders.errand = "0b9f3f0e";
  orders.download = Download{.url = "https://example.com/a", .user = "u", .password = "p"};
  orders.target =
      storage::Place{.path = "iqn.2013-07.com.example:a/1", .remote = hypervisor::Remote{.hosts = {{"::1", 0}}}};
  orders.targetBytes = 7;
  EXPECT_EQ(parseOrders(writeOrders(orders)), orders);
  EXPECT_EQ(orders.target.qemuName(),
            R"(json:{"driver":"raw","file":{"driver":"iscsi","transport":"tcp","portal":"[::1]:3260",)"
            R"("target":"iqn.2013-07.com.example:a","lun":"1"}})");
}

}  // namespace
}  // namespace godwit::importer
