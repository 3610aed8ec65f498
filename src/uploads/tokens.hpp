#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "object/document.hpp"

namespace godwit::uploads {

// Who holds the token may fill this claim, and no other one of its name, until then.
struct Grant {
  object::Key claim;
  std::string claimUid;
  Timestamp until;

  bool operator==(const Grant&) const = default;
};

// Tokens that prove themselves: what they grant, and its HMAC under a key that only the server has.
class Tokens {
 public:
  explicit Tokens(std::string key) : key_(std::move(key)) {}

  std::string issue(const Grant& grant) const;
  // Nothing when it was not issued under this key, or no longer counts.
  std::optional<Grant> read(std::string_view token, Timestamp now) const;

 private:
  const std::string key_;
};

}  // namespace godwit::uploads
