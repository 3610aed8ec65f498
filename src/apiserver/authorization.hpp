#pragma once

#include <string>

#include "apiserver/authentication.hpp"

namespace godwit::apiserver {

// What somebody wants to do: a verb on a resource, or on a bare path such as /version.
struct Access {
  std::string verb = {};
  std::string group = {};
  std::string resource = {};  // empty: the access is to `path`
  std::string subresource = {};
  std::string nameSpace = {};
  std::string name = {};
  std::string path = {};
};

// Who may do what. Everybody may ask for version and health; whoever is known may do everything.
bool allowed(const User& user, const Access& access);

// "configmaps is forbidden: User "x" cannot list resource "configmaps" in API group "" in the namespace "default"".
std::string forbiddenMessage(const User& user, const Access& access);

}  // namespace godwit::apiserver
