#include "base/random.hpp"

#include <set>

#include <gtest/gtest.h>

namespace godwit {
namespace {

TEST(Uuid, HasTheFormOfVersionFour) {
  SeededRandom random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::string id = uuid(random);
    ASSERT_EQ(id.size(), 36u) << id;
    for (std::size_t at = 0; at < id.size(); ++at) {
      const bool dash = at == 8 || at == 13 || at == 18 || at == 23;
      ASSERT_NE(std::string_view(dash ? "-" : "0123456789abcdef").find(id[at]), std::string_view::npos) << id;
    }
    ASSERT_EQ(id[14], '4') << id;
    ASSERT_NE(std::string_view("89ab").find(id[19]), std::string_view::npos) << id;
  }
}

TEST(Uuid, DiffersFromRollToRoll) {
  SystemRandom random;
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(uuid(random));
  EXPECT_EQ(seen.size(), 1000u);
}

TEST(SeededRandom, RollsTheSameForTheSameSeed) {
  SeededRandom one(7), two(7), other(8);
  const auto roll = one.next();
  EXPECT_EQ(roll, two.next());
  EXPECT_NE(roll, other.next());
}

TEST(NameSuffix, IsFiveLettersOrDigitsWithoutVowels) {
  SeededRandom random(1);
  for (int i = 0; i < 1000; ++i) {
    const std::string suffix = nameSuffix(random);
    ASSERT_EQ(suffix.size(), 5u);
    ASSERT_EQ(suffix.find_first_not_of("bcdfghjklmnpqrstvwxz2456789"), std::string::npos) << suffix;
  }
}

}  // namespace
}  // namespace godwit
