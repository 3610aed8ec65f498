#include "object/yaml_scalar.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace godwit::object {
namespace {

constexpr std::string_view kNulls[] = {"", "~", "null", "Null", "NULL"};
constexpr std::string_view kTrue[] = {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"};
constexpr std::string_view kFalse[] = {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"};
constexpr std::string_view kNoJson[] = {".nan",  ".NaN",  ".NAN",  ".inf",  ".Inf",  ".INF",
                                        "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF"};

template <std::size_t Size>
bool isOneOf(const std::string_view (&words)[Size], std::string_view text) {
  return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

template <class Number, class... Base>
std::optional<Number> whole(std::string_view text, Base... base) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number, base...);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return number;
}

int takeBase(std::string_view& digits) {
  static constexpr std::pair<std::string_view, int> kPrefixes[] = {{"0x", 16}, {"0X", 16}, {"0o", 8}, {"0O", 8},
                                                                   {"0b", 2},  {"0B", 2},  {"0", 8}};
  for (const auto& [prefix, base] : kPrefixes) {
    if (!digits.starts_with(prefix) || digits.size() == prefix.size()) continue;
    digits.remove_prefix(prefix.size());
    return base;
  }
  return 10;
}

// With a sign, and digits after the prefix of a base; "0644" is octal.
std::optional<json::value> integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const int base = takeBase(text);
  const auto magnitude = whole<std::uint64_t>(text, base);
  if (!magnitude) return std::nullopt;
  static constexpr std::uint64_t kSigned = std::uint64_t{1} << 63;
  if (negative && *magnitude <= kSigned) return json::value(static_cast<std::int64_t>(-*magnitude));
  if (negative) return std::nullopt;
  if (*magnitude < kSigned) return json::value(static_cast<std::int64_t>(*magnitude));
  return json::value(*magnitude);
}

std::optional<json::value> floating(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  // from_chars also knows "inf" and "nan", which are plain words in YAML.
  if (text.find_first_not_of("+-.0123456789eE") != text.npos) return std::nullopt;
  const auto number = whole<double>(text);
  if (!number) return std::nullopt;
  return json::value(*number);
}

}  // namespace

Result<json::value> plainScalar(std::string_view text) {
  if (isOneOf(kNulls, text)) return json::value(nullptr);
  if (isOneOf(kTrue, text)) return json::value(true);
  if (isOneOf(kFalse, text)) return json::value(false);
  if (isOneOf(kNoJson, text)) return fail(Code::Invalid, fmt::format("{} is no number that JSON knows", text));
  const bool maybeNumber = std::string_view("+-.0123456789").find(text.front()) != std::string_view::npos;
  if (!maybeNumber) return json::value(text);
  std::string digits(text);
  std::erase(digits, '_');
  if (auto number = integer(digits)) return *number;
  if (auto number = floating(digits)) return *number;
  return json::value(text);
}

}  // namespace godwit::object
