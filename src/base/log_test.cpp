#include "base/log.hpp"

#include <gtest/gtest.h>

namespace godwit::log {
namespace {

std::string printed(void (*act)()) {
  testing::internal::CaptureStderr();
  act();
  return testing::internal::GetCapturedStderr();
}

class Log : public testing::Test {
 protected:
  void TearDown() override { ASSERT_TRUE(setLevel("info")); }
};

bool matches(const std::string& text, const std::string& pattern) {
  return testing::internal::RE::FullMatch(text, testing::internal::RE(pattern));
}

TEST_F(Log, WritesTimeLevelComponentAndTextOnOneLine) {
  const std::string line = printed([] { info("moved {} to {}", "db-1", 2); });
  EXPECT_TRUE(matches(line, "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{6}Z info +base: moved db-1 to 2\n")) << line;
}

TEST_F(Log, KeepsATextWithLineBreaksOnOneLine) {
  const std::string line = printed([] { warn("{}", "one\ntwo\r"); });
  EXPECT_TRUE(line.ends_with("base: one\\ntwo\\r\n")) << line;
}

TEST_F(Log, DropsLinesBelowTheLevel) {
  ASSERT_TRUE(setLevel("error"));
  EXPECT_EQ(printed([] { warn("too quiet"); }), "");
  EXPECT_NE(printed([] { error("loud"); }), "");
}

TEST_F(Log, ShowsDebugLinesOnRequestOnly) {
  EXPECT_EQ(printed([] { debug("detail"); }), "");
  ASSERT_TRUE(setLevel("debug"));
  EXPECT_NE(printed([] { debug("detail"); }), "");
}

TEST_F(Log, RefusesALevelItDoesNotKnow) {
  const auto set = setLevel("loud");
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().code, Code::Invalid);
}

}  // namespace
}  // namespace godwit::log
