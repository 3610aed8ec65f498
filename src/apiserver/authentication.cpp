#include "apiserver/authentication.hpp"

#include <algorithm>

namespace godwit::apiserver {
namespace {

constexpr std::string_view kBearer = "Bearer ";

// Takes as long for a near miss as for a far one; only the length can be learned from outside.
bool sameSecret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

User authenticated(std::string name, std::vector<std::string> groups) {
  groups.emplace_back("system:authenticated");
  return {std::move(name), std::move(groups)};
}

}  // namespace

bool User::isIn(std::string_view group) const { return std::find(groups.begin(), groups.end(), group) != groups.end(); }

std::optional<User> Authentication::userOf(const http::Request& request) const {
  if (request.peer) return authenticated(request.peer->commonName, request.peer->organizations);
  const auto shown = request.headers.find("authorization");
  if (shown == request.headers.end()) return User{"system:anonymous", {"system:unauthenticated"}};
  const std::string_view credentials = shown->second;
  if (!credentials.starts_with(kBearer)) return std::nullopt;
  return ownerOf(credentials.substr(kBearer.size()));
}

std::optional<User> Authentication::ownerOf(std::string_view token) const {
  const BearerToken* owner = nullptr;
  for (const BearerToken& known : tokens_)
    if (sameSecret(known.token, token)) owner = &known;
  if (owner == nullptr || token.empty()) return std::nullopt;
  return authenticated(owner->user, owner->groups);
}

}  // namespace godwit::apiserver
