#include "node/logs/log_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/scratch_directory_test.hpp"
#include "base/time_format.hpp"

namespace godwit::node::logs {
namespace {

class Log : public testing::Test {
 protected:
  void write(const std::string& text) { std::ofstream(path, std::ios::app) << text; }
  std::string from(std::uint64_t offset) { return log.read(offset, 1 << 20).value(); }
  Span whole() { return {0, log.size().value()}; }
  std::string lastLines(std::int64_t count) { return from(startOfLastLines(log, whole(), count).value()); }
  std::string since(const char* time) {
    return from(startOfLinesSince(log, whole(), parseRfc3339(time).value()).value());
  }

  ScratchDirectory directory;
  std::string path = directory.file("log");
  LogFile log{path};
};

TEST_F(Log, IsEmptyUntilItIsThere) {
  EXPECT_EQ(log.size().value(), 0u);
  EXPECT_EQ(from(0), "");
  write("x");
  EXPECT_EQ(from(0), "x");
}

TEST_F(Log, HasALastLineWithAndWithoutItsBreak) {
  write("a\nb\nc\n");
  EXPECT_EQ(lastLines(0), "");
  EXPECT_EQ(lastLines(1), "c\n");
  EXPECT_EQ(lastLines(2), "b\nc\n");
  write("d");
  EXPECT_EQ(lastLines(1), "d");
  EXPECT_EQ(lastLines(2), "c\nd");
}

TEST_F(Log, HasNoMoreLinesThanThereAre) {
  write("a\nb\n");
  EXPECT_EQ(lastLines(2), "a\nb\n");
  EXPECT_EQ(lastLines(1000), "a\nb\n");
}

TEST_F(Log, GivesNoLineFromBeforeTheSpan) {
  write("old\nnew\n");
  EXPECT_EQ(startOfLastLines(log, {4, 8}, 5).value(), 4u);
}

// A hole of a terabyte takes hours to read; only its end is looked at.
TEST_F(Log, FindsTheLastLinesOfAHugeFileFromItsEnd) {
  write("first\n");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);
  write("\nlast but one\nlast\n");
  EXPECT_EQ(lastLines(2), "last but one\nlast\n");
}

TEST_F(Log, FindsLinesThatAreLongerThanABlock) {
  const std::string longLine = std::string(200'000, 'x') + "\n";
  write("a\n" + longLine + longLine + "b\n");
  EXPECT_EQ(lastLines(2), longLine + "b\n");
  EXPECT_EQ(lastLines(3), longLine + longLine + "b\n");
}

TEST_F(Log, TakesGarbageForWhatItIs) {
  const std::string garbage("\0\xff\xfe\n\x1b[2J\0\n", 10);
  write("a\n" + garbage);
  EXPECT_EQ(lastLines(2), garbage);
}

TEST_F(Log, BeginsAtATimeWhereItsLinesTellIt) {
  write("2026-01-02T03:04:05.000000Z info mover: one\n2026-01-02T03:04:06.000000Z info mover: two\nno time\n");
  EXPECT_TRUE(since("2026-01-02T03:04:05Z").find("one") != std::string::npos);
  EXPECT_EQ(since("2026-01-02T03:04:05.5Z"), "2026-01-02T03:04:06.000000Z info mover: two\nno time\n");
  EXPECT_EQ(since("2026-01-02T03:04:07Z"), "");
}

TEST_F(Log, BeginsAtATimeThatStandsInALaterBlock) {
  for (int i = 0; i < 3000; ++i) write("2026-01-02T03:04:05.000000Z info mover: still copying\n");
  write("2026-01-02T03:04:06.000000Z info mover: done");
  EXPECT_EQ(since("2026-01-02T03:04:06Z"), "2026-01-02T03:04:06.000000Z info mover: done");
}

}  // namespace
}  // namespace godwit::node::logs
