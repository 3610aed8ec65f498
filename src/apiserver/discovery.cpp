#include "apiserver/discovery.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "apiserver/media.hpp"
#include "apiserver/status.hpp"

namespace godwit::apiserver {
namespace {

const std::vector<std::string> kStoredVerbs = {"create", "delete", "deletecollection", "get",
                                               "list",   "patch",  "update",           "watch"};
const std::vector<std::string> kStatusVerbs = {"get", "patch", "update"};

template <class T>
json::array strings(const std::vector<T>& words) {
  return json::array(words.begin(), words.end());
}

template <class Named, class Name>
Named* findNamed(std::vector<Named>& all, Name Named::*member, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Named& each) { return each.*member == name; });
  return found == all.end() ? nullptr : &*found;
}

DiscoveredVersion& versionIn(std::vector<DiscoveredGroup>& groups, std::string_view group, std::string_view version) {
  if (findNamed(groups, &DiscoveredGroup::name, group) == nullptr) groups.push_back({std::string(group), {}});
  auto& versions = findNamed(groups, &DiscoveredGroup::name, group)->versions;
  if (findNamed(versions, &DiscoveredVersion::version, version) == nullptr)
    versions.push_back({std::string(version), {}});
  return *findNamed(versions, &DiscoveredVersion::version, version);
}

void addStored(const Resource& resource, DiscoveredVersion& version) {
  const schema::Kind& kind = resource.kind();
  DiscoveredResource main = {.name = std::string(kind.plural),
                             .singular = std::string(kind.singular),
                             .kind = std::string(kind.name),
                             .namespaced = resource.namespaced(),
                             .verbs = kStoredVerbs};
  for (const std::string_view shortName : kind.shortNames) main.shortNames.emplace_back(shortName);
  DiscoveredResource status = {.name = main.name + "/status",
                               .singular = "",
                               .kind = main.kind,
                               .namespaced = main.namespaced,
                               .verbs = kStatusVerbs};
  version.resources.push_back(std::move(main));
  if (kind.hasStatus) version.resources.push_back(std::move(status));
}

// Behind the resource it belongs to and its other subresources; at the end when it has none.
void addEndpoint(const Endpoint& endpoint, DiscoveredVersion& version) {
  const bool own = endpoint.subresource.empty();
  DiscoveredResource found = {.name = own ? endpoint.resource : endpoint.resource + "/" + endpoint.subresource,
                              .singular = "",
                              .kind = endpoint.kind,
                              .kindGroup = endpoint.kindGroup,
                              .kindVersion = endpoint.kindVersion,
                              .namespaced = endpoint.namespaced,
                              .verbs = endpoint.verbs};
  auto place = version.resources.end();
  for (auto at = version.resources.begin(); at != version.resources.end(); ++at)
    if (at->name == endpoint.resource || at->name.starts_with(endpoint.resource + "/")) place = at + 1;
  version.resources.insert(place, std::move(found));
}

std::string groupVersion(std::string_view group, std::string_view version) {
  return group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
}

json::object resourceList(std::string_view group, const DiscoveredVersion& version) {
  json::array resources;
  for (const DiscoveredResource& resource : version.resources) {
    json::object entry = {{"name", resource.name},
                          {"singularName", resource.singular},
                          {"namespaced", resource.namespaced},
                          {"kind", resource.kind},
                          {"verbs", strings(resource.verbs)}};
    if (!resource.kindGroup.empty()) entry["group"] = resource.kindGroup;
    if (!resource.kindVersion.empty()) entry["version"] = resource.kindVersion;
    if (!resource.shortNames.empty()) entry["shortNames"] = strings(resource.shortNames);
    resources.push_back(std::move(entry));
  }
  return {{"kind", "APIResourceList"},
          {"apiVersion", "v1"},
          {"groupVersion", groupVersion(group, version.version)},
          {"resources", std::move(resources)}};
}

json::object groupEntry(const DiscoveredGroup& group) {
  json::array versions;
  for (const DiscoveredVersion& version : group.versions)
    versions.push_back({{"groupVersion", groupVersion(group.name, version.version)}, {"version", version.version}});
  const json::value preferred = versions.front();
  return {{"name", group.name}, {"versions", std::move(versions)}, {"preferredVersion", preferred}};
}

json::object responseKind(const DiscoveredGroup& group, const DiscoveredVersion& version,
                          const DiscoveredResource& resource) {
  return {{"group", resource.kindGroup.empty() ? group.name : resource.kindGroup},
          {"version", resource.kindVersion.empty() ? version.version : resource.kindVersion},
          {"kind", resource.kind}};
}

json::array aggregatedResources(const DiscoveredGroup& group, const DiscoveredVersion& version) {
  json::array resources;
  for (const DiscoveredResource& found : version.resources) {
    const std::size_t slash = found.name.find('/');
    const std::string resource = found.name.substr(0, slash);
    const bool known = !resources.empty() && resources.back().at("resource").as_string() == resource;
    if (!known) {
      json::object entry = {{"resource", resource},
                            {"responseKind", responseKind(group, version, found)},
                            {"scope", found.namespaced ? "Namespaced" : "Cluster"},
                            {"singularResource", found.singular},
                            {"verbs", slash == std::string::npos ? strings(found.verbs) : json::array()}};
      if (!found.shortNames.empty()) entry["shortNames"] = strings(found.shortNames);
      resources.push_back(std::move(entry));
    }
    if (slash == std::string::npos) continue;
    json::value& subresources = resources.back().as_object()["subresources"];
    if (subresources.is_null()) subresources.emplace_array();
    subresources.as_array().push_back({{"subresource", found.name.substr(slash + 1)},
                                       {"responseKind", responseKind(group, version, found)},
                                       {"verbs", strings(found.verbs)}});
  }
  return resources;
}

// The core group lives below /api, all others below /apis.
http::Response aggregated(const std::vector<DiscoveredGroup>& groups, bool core, const std::string& form) {
  json::array items;
  for (const DiscoveredGroup& group : groups) {
    if (group.name.empty() != core) continue;
    json::array versions;
    for (const DiscoveredVersion& version : group.versions)
      versions.push_back(
          {{"version", version.version}, {"resources", aggregatedResources(group, version)}, {"freshness", "Current"}});
    json::object metadata;
    if (!core) metadata["name"] = group.name;
    items.push_back({{"metadata", std::move(metadata)}, {"versions", std::move(versions)}});
  }
  http::Response response = respond(200, json::object{{"kind", "APIGroupDiscoveryList"},
                                                      {"apiVersion", "apidiscovery.k8s.io/" + form},
                                                      {"metadata", json::object()},
                                                      {"items", std::move(items)}});
  response.headers["content-type"] =
      fmt::format("application/json;g=apidiscovery.k8s.io;v={};as=APIGroupDiscoveryList", form);
  response.headers["vary"] = "Accept";
  return response;
}

http::Response plainRoot(const std::vector<DiscoveredGroup>& groups, bool core) {
  json::array entries;
  for (const DiscoveredGroup& group : groups) {
    if (group.name.empty() != core) continue;
    if (!core) entries.push_back(groupEntry(group));
    for (const DiscoveredVersion& version : group.versions)
      if (core) entries.push_back(json::value(version.version));
  }
  if (!core) return respond(200, json::object{{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", entries}});
  return respond(
      200, json::object{{"kind", "APIVersions"}, {"versions", entries}, {"serverAddressByClientCIDRs", json::array()}});
}

}  // namespace

std::vector<DiscoveredGroup> discover(const Catalog& catalog, const std::vector<Endpoint>& endpoints) {
  std::vector<DiscoveredGroup> groups;
  for (const Resource& resource : catalog.resources())
    addStored(resource, versionIn(groups, resource.kind().group, resource.kind().version));
  for (const Endpoint& endpoint : endpoints) addEndpoint(endpoint, versionIn(groups, endpoint.group, endpoint.version));
  return groups;
}

std::optional<http::Response> answerDiscovery(const std::vector<DiscoveredGroup>& groups, const http::Request& request,
                                              const std::vector<std::string>& segments) {
  if (segments.empty() || (segments[0] != "api" && segments[0] != "apis")) return std::nullopt;
  const bool core = segments[0] == "api";
  if (segments.size() == 1) {
    const auto form = aggregatedDiscovery(request);
    return form ? aggregated(groups, core, *form) : plainRoot(groups, core);
  }
  const std::string groupName = core ? "" : segments[1];
  const std::size_t versionAt = core ? 1 : 2;
  for (const DiscoveredGroup& group : groups) {
    if (group.name != groupName) continue;
    if (segments.size() == versionAt) {
      json::object entry = {{"kind", "APIGroup"}, {"apiVersion", "v1"}};
      for (auto& [name, value] : groupEntry(group)) entry[name] = value;
      return respond(200, entry);
    }
    for (const DiscoveredVersion& version : group.versions)
      if (version.version == segments[versionAt]) return respond(200, resourceList(group.name, version));
  }
  return std::nullopt;
}

}  // namespace godwit::apiserver
