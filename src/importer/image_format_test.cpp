#include "importer/image_format.hpp"

#include <gtest/gtest.h>

namespace godwit::importer {
namespace {

constexpr std::size_t kVersionAt = 7;
constexpr std::size_t kBackingFileAt = 15;
constexpr std::size_t kEncryptionAt = 35;
constexpr std::size_t kIncompatibleFeaturesAt = 79;

// The header of a plain qcow2 image of 64 MiB; each test bends one byte.
std::string healthy() {
  std::string head(kImageHead, '\0');
  head.replace(0, 4, "QFI\xfb");
  head[kVersionAt] = 3;
  head[28] = 4;
  return head;
}

TEST(RecogniseImage, TakesQcow2WithTheSizeThatTheGuestSees) {
  EXPECT_EQ(recognise(healthy()), (ImageFormat{.isQcow2 = true, .virtualBytes = 64LL << 20}));
}

TEST(RecogniseImage, TakesWhatItDoesNotKnowForRaw) {
  EXPECT_EQ(recognise(std::string(512, '\0')), ImageFormat{});
  EXPECT_EQ(recognise("short"), ImageFormat{});
}

TEST(RecogniseImage, RefusesQcow2ThatWouldHaveOtherFilesOpened) {
  std::string head = healthy();
  head[kBackingFileAt] = 104;
  EXPECT_NE(recognise(head).error().message.find("backing file"), std::string::npos);
  head = healthy();
  head[kIncompatibleFeaturesAt] = 4;
  EXPECT_NE(recognise(head).error().message.find("in another file"), std::string::npos);
}

TEST(RecogniseImage, RefusesQcow2ThatCannotBeRead) {
  for (const std::size_t at : {kVersionAt, kEncryptionAt, kIncompatibleFeaturesAt}) {
    std::string head = healthy();
    head[at] = 2;
    if (at == kVersionAt) head[at] = 4;
    EXPECT_EQ(recognise(head).error().code, Code::Invalid) << at;
  }
  EXPECT_EQ(recognise(healthy().substr(0, 80)).error().code, Code::Invalid);
}

TEST(RecogniseImage, NamesAFormatThatIsNotKnown) {
  EXPECT_EQ(recognise("KDMV....").error().message, "it is a VMDK image; only raw and qcow2 are known");
}

}  // namespace
}  // namespace godwit::importer
