#include "base/quantity.hpp"

#include <utility>

#include <gtest/gtest.h>

namespace godwit {
namespace {

TEST(Quantity, ReadsEveryWayToWriteANumber) {
  const std::pair<const char*, std::int64_t> expected[] = {
      {"0", 0},
      {"128Mi", 134'217'728},
      {"2G", 2'000'000'000},
      {"1e3", 1000},
      {"1E3", 1000},
      {"12e+2", 1200},
      {"15e-1", 2},
      {"1E", 1'000'000'000'000'000'000},
      {"7Ei", 8'070'450'532'247'928'832},
      {"1k", 1000},
      {"0.5Gi", 536'870'912},
      {".5Ki", 512},
      {"5.", 5},
      {"+3", 3},
      {"007", 7},
      {"9223372036854775807", INT64_MAX},
      {"0e999999999", 0},
  };
  for (const auto& [text, value] : expected) EXPECT_EQ(parseQuantity(text), value) << text;
}

TEST(Quantity, RoundsAwayFromZero) {
  EXPECT_EQ(parseQuantity("1500m"), 2);
  EXPECT_EQ(parseQuantity("-1500m"), -2);
  EXPECT_EQ(parseQuantity("1n"), 1);
  EXPECT_EQ(parseQuantity("1e-400"), 1);
  EXPECT_EQ(parseQuantity("2000m"), 2);
  EXPECT_EQ(parseMilliQuantity("1u"), 1);
}

TEST(Quantity, AllowsNegativeNumbers) {
  EXPECT_EQ(parseQuantity("-1"), -1);
  EXPECT_EQ(parseQuantity("-1Ki"), -1024);
}

TEST(Quantity, CountsThousandths) {
  EXPECT_EQ(parseMilliQuantity("1500m"), 1500);
  EXPECT_EQ(parseMilliQuantity("2"), 2000);
  EXPECT_EQ(parseMilliQuantity("0.1"), 100);
}

TEST(Quantity, RefusesWhatIsNoQuantity) {
  for (const char* text : {"", "abc", "-", ".", "Mi", "1 Gi", "1Gib", "1mi", "1K", "1.2.3", "1e", "1e3Ki", "1e1.5",
                           "--1", "0x10", "1_000", "NaN", "1e99999999999", " 1"}) {
    const auto parsed = parseQuantity(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, Code::Invalid) << text;
  }
}

TEST(Quantity, RefusesWhatDoesNotFit) {
  for (const char* text : {"9223372036854775808", "8Ei", "10E", "1e400", "1e2147483647", "99999999999999999999Ei"})
    EXPECT_FALSE(parseQuantity(text)) << text;
  EXPECT_FALSE(parseMilliQuantity("9223372036854775807"));
  EXPECT_FALSE(parseMilliQuantity("1e2147483647"));
}

TEST(Quantity, WritesTheShortestExactBinaryForm) {
  EXPECT_EQ(formatBytes(134'217'728), "128Mi");
  EXPECT_EQ(formatBytes(1'536 * 1024), "1536Ki");
  EXPECT_EQ(formatBytes(1'000), "1000");
  EXPECT_EQ(formatBytes(0), "0");
  EXPECT_EQ(formatBytes(-2048), "-2Ki");
  EXPECT_EQ(formatBytes(std::int64_t{1} << 62), "4Ei");
}

}  // namespace
}  // namespace godwit
