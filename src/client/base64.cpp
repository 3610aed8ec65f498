#include "client/base64.hpp"

#include <openssl/evp.h>

namespace godwit::client {

std::string encodeBase64(std::string_view bytes) {
  // OpenSSL ends the text with a zero byte.
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), reinterpret_cast<const unsigned char*>(bytes.data()),
                  static_cast<int>(bytes.size()));
  text.pop_back();
  return text;
}

Result<std::string> decodeBase64(std::string_view text) {
  std::string bytes(3 * ((text.size() + 3) / 4), '\0');
  const int length =
      EVP_DecodeBlock(reinterpret_cast<unsigned char*>(bytes.data()),
                      reinterpret_cast<const unsigned char*>(text.data()), static_cast<int>(text.size()));
  if (length < 0) return fail(Code::Invalid, "this is not base64");
  // OpenSSL counts the padding as zero bytes.
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  bytes.resize(static_cast<std::size_t>(length) - padding);
  return bytes;
}

}  // namespace godwit::client
