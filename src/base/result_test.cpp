#include "base/result.hpp"

#include <gtest/gtest.h>

namespace godwit {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return fail(Code::Invalid, "odd");
  return number / 2;
}

Result<> checkQuarter(int number) {
  const int once = TRY(half(number));
  TRY(half(once));
  return {};
}

TEST(Try, GoesOnWithTheValue) { EXPECT_TRUE(checkQuarter(8)); }

TEST(Try, ReturnsTheFirstError) {
  EXPECT_EQ(checkQuarter(7).error(), (Error{Code::Invalid, "odd"}));
  EXPECT_EQ(checkQuarter(6).error(), (Error{Code::Invalid, "odd"}));
}

TEST(Within, SaysWhichThingFailed) {
  EXPECT_EQ(within("vm db-1", Error{Code::Gone, "too old"}), (Error{Code::Gone, "vm db-1: too old"}));
}

TEST(EnsureDeathTest, EndsTheProcessAndSaysWhy) {
  EXPECT_DEATH(ENSURE(1 > 2, "one is more than two"), "one is more than two");
}

}  // namespace
}  // namespace godwit
