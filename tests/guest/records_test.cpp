#include "guest/records.hpp"

#include <array>
#include <fstream>

#include <gtest/gtest.h>

#include "base/scratch_directory_test.hpp"

namespace godwit::guest {
namespace {

constexpr std::int64_t kSector = 512;
constexpr GuestParameters kParameters{.base = 4, .slots = 8};

using Slots = std::vector<std::uint32_t>;

// An image to which the guest's records are written by hand.
class Records : public testing::Test {
 protected:
  Records() { EXPECT_TRUE(install(path, 64 * kSector, kParameters)); }

  void write(std::uint32_t n) {
    std::array<std::uint32_t, 128> record;
    for (std::uint32_t i = 0; i < record.size(); ++i) record[i] = n ^ i;
    record[0] = 0x4d564b54;
    record[1] = n;
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp((kParameters.base + n % kParameters.slots) * kSector);
    file.write(reinterpret_cast<const char*>(record.data()), sizeof record);
  }

  const ScratchDirectory directory;
  const std::string path = directory.file("records.img");
};

TEST_F(Records, AreNoneOnAFreshImage) {
  EXPECT_EQ(verify(path)->last, 0u);
  EXPECT_EQ(verify(path)->bad, Slots{});
}

TEST_F(Records, AreGoodBeforeTheSlotsAreUsedUp) {
  for (std::uint32_t n = 1; n <= 5; ++n) write(n);
  EXPECT_EQ(verify(path)->last, 5u);
  EXPECT_EQ(verify(path)->bad, Slots{});
}

TEST_F(Records, AreGoodOnceTheSlotsAreUsedAgain) {
  for (std::uint32_t n = 1; n <= 29; ++n) write(n);
  EXPECT_EQ(verify(path)->last, 29u);
  EXPECT_EQ(verify(path)->bad, Slots{});
}

TEST_F(Records, MissAWriteThatWasLost) {
  for (std::uint32_t n = 1; n <= 29; ++n)
    if (n != 25) write(n);
  EXPECT_EQ(verify(path)->bad, Slots{25 % kParameters.slots});
}

TEST_F(Records, MissOneThatIsTorn) {
  for (std::uint32_t n = 1; n <= 5; ++n) write(n);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp((kParameters.base + 3) * kSector + 100);
  file.put('x').flush();
  EXPECT_EQ(verify(path)->bad, Slots{3});
}

TEST_F(Records, AreNotLookedForWithoutAGuest) {
  std::filesystem::resize_file(path, 0);
  std::filesystem::resize_file(path, 64 * kSector);
  EXPECT_EQ(verify(path).error().code, Code::Invalid);
}

}  // namespace
}  // namespace godwit::guest
