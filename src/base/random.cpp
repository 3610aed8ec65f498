#include "base/random.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace godwit {

std::uint64_t SystemRandom::next() {
  const Lock lock(mutex_);
  return (std::uint64_t{device_()} << 32) | device_();
}

std::string uuid(Random& random) {
  const std::uint64_t high = (random.next() & ~0xf000ULL) | 0x4000ULL;
  const std::uint64_t low = (random.next() & ~(0xc000ULL << 48)) | (0x8000ULL << 48);
  return fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", high >> 32, (high >> 16) & 0xffff, high & 0xffff, low >> 48,
                     low & 0xffff'ffff'ffffULL);
}

std::string nameSuffix(Random& random) {
  static constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  std::string suffix;
  for (int i = 0; i < 5; ++i) suffix += kLetters[random.below(kLetters.size())];
  return suffix;
}

}  // namespace godwit
