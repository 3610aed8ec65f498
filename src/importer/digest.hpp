#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <openssl/evp.h>

#include "base/result.hpp"

namespace godwit::importer {

// Holds bytes against "algorithm:hexadecimal digest"; md5, sha1, sha256 and sha512 are known.
class Digest {
 public:
  // Invalid when it is not written like that.
  static Result<Digest> expecting(std::string_view checksum);

  void take(std::string_view bytes);
  // Conflict, with both digests, when the bytes were others.
  Result<> compare();

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };

  Digest(std::string algorithm, std::string expected, EVP_MD_CTX* context)
      : algorithm_(std::move(algorithm)), expected_(std::move(expected)), context_(context) {}

  std::string algorithm_;
  std::string expected_;
  std::unique_ptr<EVP_MD_CTX, Free> context_;
};

}  // namespace godwit::importer
