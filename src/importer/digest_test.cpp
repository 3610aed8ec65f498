#include "importer/digest.hpp"

#include <gtest/gtest.h>

namespace godwit::importer {
namespace {

TEST(Digest, AcceptsTheBytesItExpectsInAnyPieces) {
  for (const char* checksum : {"md5:5d41402abc4b2a76b9719d911017c592", "sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
                               "sha256:2CF24DBA5FB0A30E26E83B2AC5B9E29E1B161E5C1FA7425E73043362938B9824"}) {
    auto digest = Digest::expecting(checksum);
    ASSERT_TRUE(digest) << checksum;
    digest->take("he");
    digest->take("llo");
    EXPECT_TRUE(digest->compare()) << checksum;
  }
}

TEST(Digest, NamesBothDigestsWhenTheBytesAreOthers) {
  auto digest = Digest::expecting("md5:5d41402abc4b2a76b9719d911017c592");
  digest->take("hallo");
  const auto compared = digest->compare();
  ASSERT_FALSE(compared);
  EXPECT_EQ(compared.error().code, Code::Conflict);
  EXPECT_EQ(
      compared.error().message,
      "the md5 digest of what was sent is 598d4c200461b81522a3328565c25f7c, not 5d41402abc4b2a76b9719d911017c592");
}

TEST(Digest, RefusesWhatIsNoChecksum) {
  for (const char* wrong : {"", "md5", "md5:", "md5:5d41", "crc32:00000000", "md5:zd41402abc4b2a76b9719d911017c592"})
    EXPECT_EQ(Digest::expecting(wrong).error().code, Code::Invalid) << wrong;
}

}  // namespace
}  // namespace godwit::importer
