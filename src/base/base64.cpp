#include "base/base64.hpp"

#include <cstdint>

namespace godwit {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

Failure notBase64() { return fail(Code::Invalid, "this is not base64"); }

}  // namespace

std::string encodeBase64(std::string_view bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group = group << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) text += at + i <= bytes.size() ? kLetters[group >> (18 - 6 * i) & 63] : '=';
  }
  return text;
}

Result<std::string> decodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) return notBase64();
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  std::string bytes;
  std::uint32_t group = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool padded = at >= text.size() - padding;
    const std::size_t letter = padded ? 0 : kLetters.find(text[at]);
    if (letter == std::string_view::npos) return notBase64();
    group = group << 6 | static_cast<std::uint32_t>(letter);
    if (at % 4 != 3) continue;
    for (const int shift : {16, 8, 0}) bytes += static_cast<char>(group >> shift & 255);
    group = 0;
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

}  // namespace godwit
