#include "base/quantity.hpp"

#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/digits.hpp"

namespace godwit {
namespace {

// Wide enough to hold 64 bits times any suffix without rounding.
__extension__ typedef unsigned __int128 Wide;

// A suffix stands for 2^binary * 10^decimal.
struct Suffix {
  std::string_view text;
  int binary = 0;
  int decimal = 0;
};

constexpr Suffix kSuffixes[] = {
    {""},         {"Ki", 10},   {"Mi", 20},  {"Gi", 30},  {"Ti", 40},  {"Pi", 50},   {"Ei", 60},   {"n", 0, -9},
    {"u", 0, -6}, {"m", 0, -3}, {"k", 0, 3}, {"M", 0, 6}, {"G", 0, 9}, {"T", 0, 12}, {"P", 0, 15}, {"E", 0, 18},
};

struct Parsed {
  bool negative = false;
  std::string digits;  // of the number without its point
  int binary = 0;
  int decimal = 0;
};

std::optional<Suffix> suffixOf(std::string_view text) {
  for (const Suffix& suffix : kSuffixes)
    if (suffix.text == text) return suffix;
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  Suffix exponent;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent.decimal);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return exponent;
}

// What follows the number must be short, so that sums of exponents stay far from the limits of int.
constexpr std::size_t kLongestQuantity = 64;

std::optional<Parsed> parse(std::string_view text) {
  if (text.size() > kLongestQuantity) return std::nullopt;
  Parsed parsed{.negative = text.starts_with('-'), .digits = {}};
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  parsed.digits = takeDigits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const auto fraction = takeDigits(text);
    parsed.digits += fraction;
    parsed.decimal = -static_cast<int>(fraction.size());
  }
  const auto suffix = suffixOf(text);
  if (parsed.digits.empty() || !suffix) return std::nullopt;
  parsed.binary = suffix->binary;
  if (__builtin_add_overflow(parsed.decimal, suffix->decimal, &parsed.decimal)) return std::nullopt;
  return parsed;
}

// digits * 2^binary * 10^decimal, rounded up; nothing if that does not fit on the way.
std::optional<Wide> magnitude(const Parsed& parsed) {
  Wide value = 0;
  const auto multiply = [&](unsigned by) { return !__builtin_mul_overflow(value, Wide(by), &value); };
  for (const char digit : parsed.digits) {
    if (!multiply(10)) return std::nullopt;
    value += static_cast<unsigned>(digit - '0');
  }
  if (value == 0) return value;
  for (int i = 0; i < parsed.binary; ++i)
    if (!multiply(2)) return std::nullopt;
  for (int i = 0; i < parsed.decimal; ++i)
    if (!multiply(10)) return std::nullopt;
  bool roundUp = false;
  for (int i = 0; i > parsed.decimal && value > 0; --i) {
    roundUp = roundUp || value % 10 != 0;
    value /= 10;
  }
  return value + (roundUp ? 1 : 0);
}

// In units of 10^-scale.
Result<std::int64_t> parseScaled(std::string_view text, int scale) {
  auto parsed = parse(text);
  if (!parsed || __builtin_add_overflow(parsed->decimal, scale, &parsed->decimal))
    return fail(Code::Invalid,
                "quantities must match the regular expression "
                "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  const auto value = magnitude(*parsed);
  if (!value || *value > Wide(std::numeric_limits<std::int64_t>::max()))
    return fail(Code::Invalid, "quantity does not fit into 64 bits");
  const auto whole = static_cast<std::int64_t>(*value);
  return parsed->negative ? -whole : whole;
}

}  // namespace

Result<std::int64_t> parseQuantity(std::string_view text) { return parseScaled(text, 0); }

Result<std::int64_t> parseMilliQuantity(std::string_view text) { return parseScaled(text, 3); }

std::string formatBytes(std::int64_t bytes) {
  static constexpr std::string_view kUnits[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  const auto* unit = std::begin(kUnits);
  while (bytes != 0 && bytes % 1024 == 0 && unit + 1 != std::end(kUnits)) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{}{}", bytes, *unit);
}

}  // namespace godwit
