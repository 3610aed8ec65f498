#include "importer/tar_member.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace godwit::importer {
namespace {

std::string padded(std::string content) {
  content.resize((content.size() + 511) / 512 * 512);
  return content;
}

std::string header(const std::string& name, std::size_t size, char type = '0') {
  std::string block(512, '\0');
  block.replace(0, name.size(), name);
  block.replace(124, 11, fmt::format("{:011o}", size));
  block[156] = type;
  block.replace(257, 8, std::string("ustar\00000", 8));
  block.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  block.replace(148, 7, fmt::format("{:06o}", sum) + std::string(1, '\0'));
  return block;
}

std::string member(const std::string& name, const std::string& content, char type = '0') {
  return header(name, content.size(), type) + padded(content);
}

const std::string kEnd(1024, '\0');

class Reading : public testing::TestWithParam<std::size_t> {
 protected:
  Result<> read(const std::string& archive) {
    for (std::size_t at = 0; at < archive.size(); at += GetParam()) TRY(member_.take(archive.substr(at, GetParam())));
    return member_.finish();
  }

  std::string content_;
  TarMember member_{[](const std::string& name) { return name.starts_with("disk/"); },
                    [this](std::string_view bytes) -> Result<> {
                      content_ += bytes;
                      return {};
                    }};
};
INSTANTIATE_TEST_SUITE_P(InPieces, Reading, testing::Values(1, 100, 512, 1000, 1 << 20));

TEST_P(Reading, FindsTheFirstFileThatIsWanted) {
  const std::string image(3000, 'x');
  ASSERT_TRUE(read(member("etc/passwd", "nobody") + member("disk/", "", '5') + member("./disk/a.img", image) +
                   member("disk/b.img", "another") + kEnd));
  EXPECT_EQ(member_.found(), "disk/a.img");
  EXPECT_EQ(content_, image);
}

TEST_P(Reading, FindsNothingWhereNothingIs) {
  ASSERT_TRUE(read(member("etc/passwd", "nobody") + kEnd));
  EXPECT_EQ(member_.found(), "");
}

TEST_P(Reading, KnowsTheLongNamesOfGnu) {
  const std::string name = "disk/" + std::string(200, 'n');
  ASSERT_TRUE(read(member("././@LongLink", name + std::string(1, '\0'), 'L') + member("short", "image") + kEnd));
  EXPECT_EQ(member_.found(), name);
  EXPECT_EQ(content_, "image");
}

TEST_P(Reading, KnowsTheLinesOfPax) {
  // The length of a line counts itself.
  const std::string lines = "27 mtime=1700000000.000000\n23 path=disk/there.img\n10 size=5\n";
  ASSERT_TRUE(read(member("PaxHeaders/x", lines, 'x') + header("elsewhere", 0) + padded("image") + kEnd));
  EXPECT_EQ(member_.found(), "disk/there.img");
  EXPECT_EQ(content_, "image");
}

TEST_P(Reading, RefusesWhatIsNoArchive) {
  const auto refused = read(std::string(1024, 'x'));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::Invalid);
}

TEST_P(Reading, RefusesAnArchiveThatEndsWithinAFile) {
  const std::string archive = member("disk/a.img", std::string(3000, 'x'));
  EXPECT_FALSE(read(archive.substr(0, 2000)));
}

}  // namespace
}  // namespace godwit::importer
