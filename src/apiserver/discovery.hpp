#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apiserver/endpoint.hpp"
#include "apiserver/resource.hpp"
#include "http/message.hpp"

// What is served, for clients that ask: plain and aggregated discovery.
namespace godwit::apiserver {

struct DiscoveredResource {
  std::string name;  // "pods", or "pods/status"
  std::string singular;
  std::string kind;
  std::string kindGroup = {};  // empty, like kindVersion, when the kind is of the same group and version
  std::string kindVersion = {};
  bool namespaced = true;
  std::vector<std::string> verbs;
  std::vector<std::string> shortNames = {};
};

struct DiscoveredVersion {
  std::string version;
  std::vector<DiscoveredResource> resources;  // a subresource follows its resource
};

struct DiscoveredGroup {
  std::string name;
  std::vector<DiscoveredVersion> versions;
};

// Groups in the order of the catalog, then those that only endpoints have.
std::vector<DiscoveredGroup> discover(const Catalog& catalog, const std::vector<Endpoint>& endpoints);

// Answers /api, /apis, /api/VERSION, /apis/GROUP and /apis/GROUP/VERSION; nothing for what is not served.
std::optional<http::Response> answerDiscovery(const std::vector<DiscoveredGroup>& groups, const http::Request& request,
                                              const std::vector<std::string>& segments);

}  // namespace godwit::apiserver
