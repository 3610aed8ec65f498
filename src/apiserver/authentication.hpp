#pragma once

#include <optional>
#include <string>
#include <vector>

#include "http/message.hpp"

namespace godwit::apiserver {

struct User {
  std::string name;
  std::vector<std::string> groups;

  bool isIn(std::string_view group) const;
};

struct BearerToken {
  std::string token;
  std::string user;
  std::vector<std::string> groups;
};

// Who is calling: by client certificate, else by bearer token, else nobody in particular.
class Authentication {
 public:
  explicit Authentication(std::vector<BearerToken> tokens = {}) : tokens_(std::move(tokens)) {}

  // Nothing when credentials were shown and are not good; system:anonymous when none were shown.
  std::optional<User> userOf(const http::Request& request) const;
  std::optional<User> ownerOf(std::string_view token) const;

 private:
  std::vector<BearerToken> tokens_;
};

}  // namespace godwit::apiserver
