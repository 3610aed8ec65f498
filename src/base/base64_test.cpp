#include "base/base64.hpp"

#include <gtest/gtest.h>

namespace godwit {
namespace {

TEST(Base64, IsReadAsItWasWritten) {
  for (const std::string bytes : {"", "a", "ab", "abc", "abcd"})
    EXPECT_EQ(decodeBase64(encodeBase64(bytes)), bytes) << bytes;
  EXPECT_EQ(encodeBase64("light w"), "bGlnaHQgdw==");
}

TEST(Base64, RefusesOtherLetters) { EXPECT_FALSE(decodeBase64("a*bc")); }

TEST(Base64, RefusesWhatIsCutShort) {
  EXPECT_FALSE(decodeBase64("bGlnaHQgdw="));
  EXPECT_FALSE(decodeBase64("b"));
}

TEST(Base64, RefusesPaddingInTheMiddle) { EXPECT_FALSE(decodeBase64("bG==aHQg")); }

}  // namespace
}  // namespace godwit
