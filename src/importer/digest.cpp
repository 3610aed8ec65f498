#include "importer/digest.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace godwit::importer {
namespace {

const EVP_MD* algorithmCalled(std::string_view name) {
  if (name == "md5") return EVP_md5();
  if (name == "sha1") return EVP_sha1();
  if (name == "sha256") return EVP_sha256();
  if (name == "sha512") return EVP_sha512();
  return nullptr;
}

std::string inLowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

}  // namespace

Result<Digest> Digest::expecting(std::string_view checksum) {
  const std::size_t colon = checksum.find(':');
  const std::string name(checksum.substr(0, colon));
  const EVP_MD* algorithm = algorithmCalled(name);
  const std::string digits = colon == std::string_view::npos ? "" : inLowerCase(checksum.substr(colon + 1));
  const bool whole = algorithm && digits.size() == 2 * static_cast<std::size_t>(EVP_MD_get_size(algorithm)) &&
                     digits.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!whole)
    return fail(Code::Invalid,
                fmt::format("the checksum '{}' is not md5, sha1, sha256 or sha512, a colon, and a digest in "
                            "hexadecimal digits",
                            checksum));
  Digest digest(name, digits, EVP_MD_CTX_new());
  ENSURE(EVP_DigestInit_ex(digest.context_.get(), algorithm, nullptr) == 1, "OpenSSL knows its own algorithms");
  return digest;
}

void Digest::take(std::string_view bytes) { EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()); }

Result<> Digest::compare() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> value;
  unsigned length = 0;
  EVP_DigestFinal_ex(context_.get(), value.data(), &length);
  std::string found;
  for (unsigned i = 0; i < length; ++i) found += fmt::format("{:02x}", value[i]);
  if (found == expected_) return {};
  return fail(Code::Conflict,
              fmt::format("the {} digest of what was sent is {}, not {}", algorithm_, found, expected_));
}

}  // namespace godwit::importer
