#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/authorization.hpp"
#include "base/result.hpp"
#include "http/uri.hpp"

// What the request line asks for, in the words of the Kubernetes API.
namespace godwit::apiserver {

// Empty when it is not there.
std::string textOf(const http::Query& query, std::string_view name);
// True unless it is absent, "false" or "0", as Kubernetes reads booleans.
bool isSet(const http::Query& query, std::string_view name);
// Nothing when it is not there; Code::Invalid when it is not a number from 0 up.
Result<std::optional<std::int64_t>> numberOf(const http::Query& query, std::string_view name);

// The part of a path that names a resource: /apis/GROUP/VERSION/[namespaces/NS/]RESOURCE[/NAME[/SUBRESOURCE...]].
struct ResourcePath {
  std::string group;
  std::string version;
  std::string nameSpace;
  std::string resource;
  std::string name;
  std::string subresource;

  // Nothing for paths above the resources, such as /apis/GROUP, and for all others.
  static std::optional<ResourcePath> in(const std::vector<std::string>& segments);
};

// What a request wants to do; the verb is empty for a method that has none.
Access accessOf(std::string_view method, const http::Target& target, const std::optional<ResourcePath>& path);

}  // namespace godwit::apiserver
