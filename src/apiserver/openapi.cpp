#include "apiserver/openapi.hpp"

#include <functional>

#include <fmt/format.h>

#include "apiserver/media.hpp"
#include "apiserver/status.hpp"
#include "apiserver/swagger.hpp"
#include "schema/metadata.hpp"
#include "schema/openapi.hpp"

namespace godwit::apiserver {
namespace {

constexpr std::string_view kWriteParameters[] = {"dryRun", "fieldManager", "fieldValidation", "force"};

// "com.example.bench.v1.Widget"
std::string schemaName(const schema::Kind& kind) {
  std::string name;
  std::string_view rest = kind.group.empty() ? "core.api.k8s.io" : kind.group;
  while (!rest.empty()) {
    const std::size_t dot = rest.rfind('.');
    name += rest.substr(dot == std::string_view::npos ? 0 : dot + 1);
    name += '.';
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(0, dot);
  }
  return fmt::format("{}{}.{}", name, kind.version, kind.name);
}

// "api/v1", "apis/kubevirt.io/v1"
std::string rootOf(const schema::Kind& kind) {
  return kind.group.empty() ? fmt::format("api/{}", kind.version) : fmt::format("apis/{}/{}", kind.group, kind.version);
}

json::object groupVersionKind(const schema::Kind& kind) {
  return {{"group", kind.group}, {"version", kind.version}, {"kind", kind.name}};
}

json::object operation(const schema::Kind& kind, std::string_view action, const std::string& reference, bool writes) {
  json::object operation = {
      {"x-kubernetes-action", action},
      {"x-kubernetes-group-version-kind", groupVersionKind(kind)},
      {"responses",
       {{"200", {{"description", "OK"}, {"content", {{"application/json", {{"schema", {{"$ref", reference}}}}}}}}}}}};
  json::array parameters;
  if (writes)
    for (const std::string_view name : kWriteParameters)
      parameters.push_back({{"name", name}, {"in", "query"}, {"schema", {{"type", "string"}}}});
  operation["parameters"] = std::move(parameters);
  return operation;
}

void addPaths(const Resource& resource, json::object& paths) {
  const schema::Kind& kind = resource.kind();
  const std::string reference = "#/components/schemas/" + schemaName(kind);
  const std::string collection =
      fmt::format("/{}/{}{}", rootOf(kind), resource.namespaced() ? "namespaces/{namespace}/" : "", kind.plural);
  paths[collection] = {{"get", operation(kind, "list", reference, false)},
                       {"post", operation(kind, "post", reference, true)},
                       {"delete", operation(kind, "deletecollection", reference, true)}};
  paths[collection + "/{name}"] = {{"get", operation(kind, "get", reference, false)},
                                   {"put", operation(kind, "put", reference, true)},
                                   {"patch", operation(kind, "patch", reference, true)},
                                   {"delete", operation(kind, "delete", reference, true)}};
}

// What a CustomResourceDefinition may not say is said here: what metadata holds.
json::object schemaOf(const Resource& resource) {
  json::object schema = resource.definition.openApi();
  schema["properties"].as_object()["metadata"] = schema::openApi<schema::Metadata>();
  schema["x-kubernetes-group-version-kind"] = {groupVersionKind(resource.kind())};
  return schema;
}

json::object documentFor(const Catalog& catalog, std::string_view root) {
  json::object paths;
  json::object schemas;
  for (const Resource& resource : catalog.resources()) {
    if (rootOf(resource.kind()) != root) continue;
    addPaths(resource, paths);
    schemas[schemaName(resource.kind())] = schemaOf(resource);
  }
  return {{"openapi", "3.0.0"},
          {"info", {{"title", "Godwit"}, {"version", "v1"}}},
          {"paths", std::move(paths)},
          {"components", {{"schemas", std::move(schemas)}}}};
}

json::object index(const Catalog& catalog) {
  json::object paths;
  for (const Resource& resource : catalog.resources()) {
    const std::string root = rootOf(resource.kind());
    if (paths.contains(root)) continue;
    const std::size_t hash = std::hash<std::string>()(json::serialize(documentFor(catalog, root)));
    paths[root] = {{"serverRelativeURL", fmt::format("/openapi/v3/{}?hash={:016X}", root, hash)}};
  }
  return {{"paths", std::move(paths)}};
}

json::object swagger(const Catalog& catalog) {
  json::object definitions;
  for (const Resource& resource : catalog.resources())
    definitions[schemaName(resource.kind())] = swaggerSchema(schemaOf(resource));
  return {{"swagger", "2.0"},
          {"info", {{"title", "Godwit"}, {"version", "v1"}}},
          {"paths", json::object()},
          {"definitions", std::move(definitions)}};
}

http::Response answerSwagger(const Catalog& catalog, const http::Request& request) {
  if (accepts(request, kSwaggerProtobufAsked) || accepts(request, kSwaggerProtobufType)) {
    http::Response response = respondText(200, swaggerProtobuf(swagger(catalog)));
    response.headers["content-type"] = kSwaggerProtobufType;
    return response;
  }
  return acceptedBy(request) ? respond(200, swagger(catalog)) : notAcceptable();
}

}  // namespace

std::optional<http::Response> answerOpenApi(const Catalog& catalog, const http::Request& request,
                                            const std::vector<std::string>& segments) {
  if (segments.size() < 2 || segments[0] != "openapi") return std::nullopt;
  if (segments[1] == "v2" && segments.size() == 2) return answerSwagger(catalog, request);
  if (segments[1] != "v3") return std::nullopt;
  if (!acceptedBy(request)) return notAcceptable();
  if (segments.size() == 2) return respond(200, index(catalog));
  std::string root = segments[2];
  for (std::size_t i = 3; i < segments.size(); ++i) root += "/" + segments[i];
  json::object document = documentFor(catalog, root);
  if (document.at("paths").as_object().empty()) return std::nullopt;
  return respond(200, document);
}

}  // namespace godwit::apiserver
