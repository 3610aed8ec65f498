#include "base/time_format.hpp"

#include <gtest/gtest.h>

namespace godwit {
namespace {

using namespace std::chrono_literals;

constexpr Timestamp kMoment = std::chrono::sys_days(std::chrono::year(2026) / 1 / 2) + 3h + 4min + 5s + 678'901us;

TEST(TimeFormat, WritesSecondsOrMicroseconds) {
  EXPECT_EQ(toRfc3339(kMoment), "2026-01-02T03:04:05Z");
  EXPECT_EQ(toRfc3339Micro(kMoment), "2026-01-02T03:04:05.678901Z");
  EXPECT_EQ(toRfc3339Micro(kMoment - 678'901us), "2026-01-02T03:04:05.000000Z");
}

TEST(TimeFormat, WritesTimesBeforeTheEpoch) { EXPECT_EQ(toRfc3339(Timestamp(-1ms)), "1969-12-31T23:59:59Z"); }

TEST(TimeFormat, ReadsWhatItWrites) {
  EXPECT_EQ(parseRfc3339("2026-01-02T03:04:05.678901Z"), kMoment);
  EXPECT_EQ(parseRfc3339("2026-01-02T03:04:05Z"), kMoment - 678'901us);
  EXPECT_EQ(parseRfc3339("1969-12-31T23:59:59Z"), Timestamp(-1s));
}

TEST(TimeFormat, ReadsAnyNumberOfFractionalDigits) {
  EXPECT_EQ(parseRfc3339("1970-01-01T00:00:00.5Z"), Timestamp(500ms));
  EXPECT_EQ(parseRfc3339("1970-01-01T00:00:00.0000000019Z"), Timestamp(1ns));
}

TEST(TimeFormat, ReadsNumericOffsets) {
  EXPECT_EQ(parseRfc3339("1970-01-01T02:00:00+02:00"), Timestamp(0s));
  EXPECT_EQ(parseRfc3339("1969-12-31T14:30:00.5-09:30"), Timestamp(500ms));
}

TEST(TimeFormat, KnowsLeapDays) {
  EXPECT_TRUE(parseRfc3339("2024-02-29T00:00:00Z"));
  EXPECT_FALSE(parseRfc3339("2023-02-29T00:00:00Z"));
}

TEST(TimeFormat, RefusesWhatIsNoTime) {
  for (const char* text :
       {"", "yesterday", "2026-01-02", "2026-01-02 03:04:05Z", "2026-01-02T03:04:05", "2026-01-02T03:04:05.Z",
        "2026-01-02T03:04:05Zx", "2026-13-02T03:04:05Z", "2026-00-02T03:04:05Z", "2026-01-02T24:04:05Z",
        "2026-01-02T03:60:05Z", "2026-01-02T03:04:60Z", "2026-01-02T03:04:05+2:00", "2026-01-02T03:04:05+24:00",
        "2026-1-2T03:04:05Z", "9999-01-02T03:04:05Z", "0001-01-01T00:00:00Z"}) {
    const auto parsed = parseRfc3339(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, Code::Invalid) << text;
  }
}

TEST(TimeFormat, ReadsDurationsAsGoWritesThem) {
  EXPECT_EQ(parseDuration("90s"), Duration(90s));
  EXPECT_EQ(parseDuration("10m"), Duration(10min));
  EXPECT_EQ(parseDuration("1h30m5s"), Duration(1h + 30min + 5s));
  for (const char* text : {"", "10", "m", "5m1h", "10m ", "-1s", "1.5h", "9999999h"})
    EXPECT_EQ(parseDuration(text).error().code, Code::Invalid) << text;
}

TEST(TimeFormat, WritesAgesAsKubectlDoes) {
  const std::pair<Duration, const char*> expected[] = {
      {-2s, "<invalid>"},
      {-1s, "0s"},
      {0s, "0s"},
      {5s, "5s"},
      {119s, "119s"},
      {120s, "2m"},
      {200s, "3m20s"},
      {10min, "10m"},
      {179min, "179m"},
      {3h, "3h"},
      {7h + 59min, "7h59m"},
      {8h + 1min, "8h"},
      {47h, "47h"},
      {52h, "2d4h"},
      {8 * 24h + 5h, "8d"},
      {2 * 365 * 24h, "2y"},
      {(2 * 365 + 3) * 24h, "2y3d"},
      {(9 * 365 + 3) * 24h, "9y"},
  };
  for (const auto& [duration, text] : expected) EXPECT_EQ(humanDuration(duration), text);
}

}  // namespace
}  // namespace godwit
