#include "uploads/tokens.hpp"

#include <gtest/gtest.h>

namespace godwit::uploads {
namespace {

using namespace std::chrono_literals;

class UploadTokens : public testing::Test {
 protected:
  ManualClock clock;
  const Tokens tokens{"secret"};
  const Grant grant{.claim = {"default", "root"}, .claimUid = "1", .until = clock.now() + 5min};
  std::string token = tokens.issue(grant);
};

TEST_F(UploadTokens, GrantWhatTheyWereIssuedFor) { EXPECT_EQ(tokens.read(token, clock.now()), grant); }

TEST_F(UploadTokens, CountUntilTheirTimeIsUp) {
  EXPECT_TRUE(tokens.read(token, grant.until - 1ms));
  EXPECT_FALSE(tokens.read(token, grant.until));
}

TEST_F(UploadTokens, CannotBeMadeWithoutTheKey) {
  EXPECT_FALSE(tokens.read(Tokens("guess").issue(grant), clock.now()));
}

TEST_F(UploadTokens, CannotBeAltered) {
  const std::string other = tokens.issue({.claim = {"default", "b"}, .claimUid = "2", .until = grant.until});
  const std::string mixed = other.substr(0, other.find('.')) + token.substr(token.find('.'));
  EXPECT_FALSE(tokens.read(mixed, clock.now()));
  for (char& letter : token) {
    const char was = std::exchange(letter, letter == 'A' ? 'B' : 'A');
    EXPECT_FALSE(tokens.read(token, clock.now()));
    letter = was;
  }
}

TEST_F(UploadTokens, AreNotJustAnything) {
  for (const char* text : {"", ".", "a.b", "token"}) EXPECT_FALSE(tokens.read(text, clock.now()));
}

}  // namespace
}  // namespace godwit::uploads
