#include "apiserver/authorization.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "apiserver/status.hpp"

namespace godwit::apiserver {
namespace {

constexpr std::array<std::string_view, 4> kPublicPaths = {"/version", "/healthz", "/livez", "/readyz"};

}  // namespace

bool allowed(const User& user, const Access& access) {
  if (user.isIn("system:authenticated")) return true;
  return access.verb == "get" && access.resource.empty() &&
         std::find(kPublicPaths.begin(), kPublicPaths.end(), access.path) != kPublicPaths.end();
}

std::string forbiddenMessage(const User& user, const Access& access) {
  if (access.resource.empty())
    return fmt::format("forbidden: User \"{}\" cannot {} path \"{}\"", user.name, access.verb, access.path);
  const std::string what = qualified(access.resource, access.group);
  const std::string which = access.name.empty() ? what : fmt::format("{} \"{}\"", what, access.name);
  const std::string resource =
      access.subresource.empty() ? access.resource : fmt::format("{}/{}", access.resource, access.subresource);
  const std::string where =
      access.nameSpace.empty() ? "at the cluster scope" : fmt::format("in the namespace \"{}\"", access.nameSpace);
  return fmt::format("{} is forbidden: User \"{}\" cannot {} resource \"{}\" in API group \"{}\" {}", which, user.name,
                     access.verb, resource, access.group, where);
}

}  // namespace godwit::apiserver
