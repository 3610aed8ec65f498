#include "uploads/tokens.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

#include "base/base64.hpp"
#include "base/time_format.hpp"

namespace godwit::uploads {
namespace {

std::string signatureOf(std::string_view text, const std::string& key) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes, text.size(), digest.data(), &size);
  return {reinterpret_cast<const char*>(digest.data()), size};
}

bool isSame(const std::string& a, const std::string& b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

Result<Grant> parseGrant(std::string_view text) {
  const object::Document said = TRY(object::parseDocument(text));
  Grant grant;
  grant.claim = {object::textAt(said, {"namespace"}), object::textAt(said, {"claim"})};
  grant.claimUid = object::textAt(said, {"uid"});
  grant.until = TRY(parseRfc3339(object::textAt(said, {"until"})));
  return grant;
}

}  // namespace

std::string Tokens::issue(const Grant& grant) const {
  const std::string text = json::serialize(json::object{{"namespace", grant.claim.nameSpace},
                                                        {"claim", grant.claim.name},
                                                        {"uid", grant.claimUid},
                                                        {"until", toRfc3339Micro(grant.until)}});
  return encodeBase64(text) + "." + encodeBase64(signatureOf(text, key_));
}

std::optional<Grant> Tokens::read(std::string_view token, Timestamp now) const {
  const std::size_t dot = token.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto text = decodeBase64(token.substr(0, dot));
  const auto signature = decodeBase64(token.substr(dot + 1));
  if (!text || !signature || !isSame(*signature, signatureOf(*text, key_))) return std::nullopt;
  auto grant = parseGrant(*text);
  return grant && now < grant->until ? std::optional(std::move(*grant)) : std::nullopt;
}

}  // namespace godwit::uploads
