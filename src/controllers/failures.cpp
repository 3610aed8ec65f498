#include "controllers/failures.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace godwit::controllers {
namespace {

using namespace std::chrono_literals;

constexpr Duration kFirstPatience = 20s;
constexpr int kMostDoublings = 4;

}  // namespace

Duration patience(int failures) { return kFirstPatience * (1 << std::clamp(failures - 1, 0, kMostDoublings)); }

bool backsOff(const Failures& failures) { return failures.count > 0 && failures.sinceLast < patience(failures.count); }

std::string explain(const Failures& failures) {
  return fmt::format("{} in a row failed, the last one with \"{}\"; the next one begins {} seconds after it",
                     failures.count == 1 ? "one migration" : fmt::format("{} migrations", failures.count),
                     failures.message, patience(failures.count) / 1s);
}

}  // namespace godwit::controllers
