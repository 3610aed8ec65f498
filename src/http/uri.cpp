#include "http/uri.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace godwit::http {
namespace {

// The text up to `separator`, which is taken off `rest` together with it.
std::string_view takeUntil(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return taken;
}

// In a query, unlike in a path, a plus sign stands for a space.
Result<std::string> decodeQueryWord(std::string_view text) {
  std::string spaced(text);
  std::replace(spaced.begin(), spaced.end(), '+', ' ');
  return decode(spaced);
}

Result<Query> parseQuery(std::string_view rest) {
  Query query;
  while (!rest.empty()) {
    std::string_view parameter = takeUntil(rest, '&');
    if (parameter.empty()) continue;
    std::string name = TRY(decodeQueryWord(takeUntil(parameter, '=')));
    std::string value = TRY(decodeQueryWord(parameter));
    query.add(std::move(name), std::move(value));
  }
  return query;
}

bool isUnreserved(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
         std::string_view("-._~").find(letter) != std::string_view::npos;
}

}  // namespace

std::optional<std::string> Query::find(std::string_view name) const {
  for (const auto& [key, value] : parameters_)
    if (key == name) return value;
  return std::nullopt;
}

std::vector<std::string> Query::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [key, value] : parameters_)
    if (key == name) values.push_back(value);
  return values;
}

Result<Target> parseTarget(std::string_view target) {
  if (!target.starts_with('/')) return fail(Code::Invalid, fmt::format("\"{}\" is not an absolute path", target));
  std::string_view rest = target.substr(0, target.find('#'));
  std::string_view path = takeUntil(rest, '?');
  Target parsed;
  while (!path.empty()) {
    const std::string_view segment = takeUntil(path, '/');
    if (!segment.empty()) parsed.segments.push_back(TRY(decode(segment)));
  }
  parsed.query = TRY(parseQuery(rest));
  return parsed;
}

Result<std::string> decode(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      decoded += text[at];
      continue;
    }
    const std::string_view digits = text.substr(at + 1, 2);
    unsigned char byte = 0;
    const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (digits.size() != 2 || problem != std::errc() || end != digits.data() + 2)
      return fail(Code::Invalid, fmt::format("\"{}\" is not percent-encoded", text));
    decoded += static_cast<char>(byte);
    at += 2;
  }
  return decoded;
}

std::string encode(std::string_view text) {
  std::string encoded;
  encoded.reserve(text.size());
  for (const char letter : text) {
    if (isUnreserved(letter))
      encoded += letter;
    else
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  return encoded;
}

}  // namespace godwit::http
