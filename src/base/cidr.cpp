#include "base/cidr.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace godwit {
namespace {

constexpr int kByteBits = 8;
constexpr int kMostHostBits = 16;

// Empty when it is no address.
std::vector<std::uint8_t> bytesOf(const std::string& address) {
  std::vector<std::uint8_t> bytes(sizeof(in6_addr));
  if (inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1) return bytes;
  bytes.resize(sizeof(in_addr));
  if (inet_pton(AF_INET, address.c_str(), bytes.data()) == 1) return bytes;
  return {};
}

int bitsOf(const std::vector<std::uint8_t>& bytes) { return static_cast<int>(bytes.size()) * kByteBits; }

// What is left of an address when all but its first bits are taken away.
std::vector<std::uint8_t> beginning(std::vector<std::uint8_t> bytes, int length) {
  for (std::uint8_t& byte : bytes) {
    const int kept = std::clamp(length, 0, kByteBits);
    byte = static_cast<std::uint8_t>(byte & (0xff << (kByteBits - kept)));
    length -= kByteBits;
  }
  return bytes;
}

}  // namespace

Result<Cidr> Cidr::parse(const std::string& text) {
  const auto slash = std::min(text.find('/'), text.size());
  auto bytes = bytesOf(text.substr(0, slash));
  int length = -1;
  const char* const end = text.data() + text.size();
  const bool counted =
      slash < text.size() && std::from_chars(text.data() + slash + 1, end, length) == std::from_chars_result{end, {}};
  if (bytes.empty() || !counted || length < 0 || length > bitsOf(bytes) || beginning(bytes, length) != bytes)
    return fail(Code::Invalid, fmt::format("\"{}\" is no network: it is written as 10.77.0.0/24", text));
  return Cidr(std::move(bytes), length);
}

std::uint32_t Cidr::hosts() const {
  const int bits = std::min(bitsOf(bytes_) - length_, kMostHostBits);
  return (1U << bits) < 3 ? 0 : (1U << bits) - 2;
}

bool Cidr::contains(const std::string& address) const { return beginning(bytesOf(address), length_) == bytes_; }

std::string Cidr::host(std::uint32_t number) const {
  std::vector<std::uint8_t> bytes = bytes_;
  for (auto byte = bytes.rbegin(); byte != bytes.rend() && number > 0; ++byte) {
    number += *byte;
    *byte = static_cast<std::uint8_t>(number);
    number >>= kByteBits;
  }
  char text[INET6_ADDRSTRLEN] = {};
  inet_ntop(bytes.size() == sizeof(in_addr) ? AF_INET : AF_INET6, bytes.data(), text, sizeof text);
  return text;
}

}  // namespace godwit
