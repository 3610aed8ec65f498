#include "storage/names.hpp"

#include <algorithm>
#include <charconv>

namespace godwit::storage {
namespace {

constexpr std::string_view kLettersAndDigits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

std::optional<std::int64_t> parsePort(std::string_view text) {
  std::int64_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port < 1 || port > 65535) return std::nullopt;
  return port;
}

}  // namespace

bool isMadeOf(std::string_view text, std::string_view others) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return kLettersAndDigits.find(c) != std::string_view::npos || others.find(c) != std::string_view::npos;
  });
}

std::optional<hypervisor::Host> parseHost(std::string_view text, std::int64_t usualPort) {
  const bool bracketed = text.starts_with('[');
  const std::size_t end = bracketed ? text.find(']') : text.find(':');
  if (bracketed && end == std::string_view::npos) return std::nullopt;
  const std::string_view host = bracketed ? text.substr(1, end - 1) : text.substr(0, end);
  if (!isMadeOf(host, bracketed ? ":.%" : ".-_")) return std::nullopt;
  hypervisor::Host named{.name = std::string(host), .port = usualPort};
  const std::string_view rest = end == std::string_view::npos ? "" : text.substr(bracketed ? end + 1 : end);
  if (rest.empty()) return named;
  const auto port = rest.front() == ':' ? parsePort(rest.substr(1)) : std::nullopt;
  if (!port) return std::nullopt;
  named.port = *port;
  return named;
}

}  // namespace godwit::storage
