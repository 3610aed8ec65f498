#include "apiserver/server.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "apiserver/authorization.hpp"
#include "apiserver/media.hpp"
#include "apiserver/openapi.hpp"
#include "apiserver/reviews.hpp"
#include "apiserver/status.hpp"
#include "base/log.hpp"

namespace godwit::apiserver {
namespace {

http::Response notServed() { return respondText(404, "404 page not found\n"); }

http::Response methodNotAllowed() {
  return refuse(405, "MethodNotAllowed", "the server does not allow this method on the requested resource");
}

http::Response forbidden(const User& user, const Access& access) {
  return refuse({Code::Forbidden, forbiddenMessage(user, access)},
                {access.group, access.resource, access.resource, access.name});
}

// What clients compare themselves with: the Kubernetes release whose API this is.
http::Response version() {
  return respond(200, {{"major", "1"},
                       {"minor", "32"},
                       {"gitVersion", "v1.32.0+godwit"},
                       {"gitCommit", ""},
                       {"gitTreeState", ""},
                       {"buildDate", "1970-01-01T00:00:00Z"},
                       {"goVersion", ""},
                       {"compiler", ""},
                       {"platform", "linux/amd64"}});
}

bool isHealthPath(std::string_view path) { return path == "healthz" || path == "livez" || path == "readyz"; }

// Whether the kind is found at such a path: in a namespace or not, with a name or not.
bool fits(const Resource& resource, const Access& access) {
  if (!resource.namespaced()) return access.nameSpace.empty();
  return !access.nameSpace.empty() || access.name.empty();
}

}  // namespace

ApiServer::ApiServer(store::Store& store, std::vector<schema::Definition> definitions, const Clock& clock,
                     Random& random, Options options)
    : catalog_(std::move(definitions)),
      authentication_(std::move(options.tokens)),
      objects_(store, clock, random, std::move(options.gracePeriod)),
      namespaces_(objects_, catalog_),
      reader_(store, objects_, clock),
      writer_(store, objects_, namespaces_, clock),
      endpoints_(reviewEndpoints(authentication_)),
      discovered_(discover(catalog_, endpoints_)) {
  if (auto ensured = ensureNamespace("default"); !ensured)
    log::warn("cannot create the namespace \"default\": {}", ensured.error().message);
}

void ApiServer::add(Endpoint endpoint) {
  endpoints_.push_back(std::move(endpoint));
  discovered_ = discover(catalog_, endpoints_);
}

void ApiServer::add(std::string path, std::function<http::Response()> answer) {
  paths_.emplace(std::move(path), std::move(answer));
}

Result<> ApiServer::ensureNamespace(std::string_view name) { return namespaces_.ensure(name); }

http::Response ApiServer::handle(const http::Request& request) {
  const auto target = http::parseTarget(request.target);
  const auto user = authentication_.userOf(request);
  http::Response response = !target ? refuse(400, "BadRequest", target.error().message)
                            : !user ? refuse(401, "Unauthorized", "Unauthorized")
                                    : answer(request, *target, *user);
  const auto accepted = acceptedBy(request);
  if (accepted && accepted->yaml) rewriteAsYaml(response);
  response.headers.emplace("cache-control", "no-cache, private");
  return response;
}

http::Response ApiServer::answer(const http::Request& request, const http::Target& target, const User& user) {
  const auto path = ResourcePath::in(target.segments);
  const Access access = accessOf(request.method, target, path);
  if (!allowed(user, access)) return forbidden(user, access);
  if (!path) return answerPath(request, target);
  if (access.verb.empty()) return methodNotAllowed();
  if (const Endpoint* endpoint = findEndpoint(*path))
    return answerEndpoint(*endpoint, {request, target.query, user, access.verb, {access.nameSpace, access.name}});
  const Resource* resource = catalog_.find(path->group, path->version, path->resource);
  if (resource == nullptr || !fits(*resource, access)) return notServed();
  return answerObjects(request, target.query, *resource, access);
}

http::Response ApiServer::answerObjects(const http::Request& request, const http::Query& query,
                                        const Resource& resource, const Access& access) {
  const bool status = access.subresource == "status";
  if (!access.subresource.empty() && !(status && resource.kind().hasStatus)) return notServed();
  const auto accepted = acceptedBy(request);
  if (!accepted) return notAcceptable();
  const std::string_view verb = access.verb;
  const bool whole = access.name.empty();
  if (whole && (verb == "update" || verb == "patch")) return refuse(400, "BadRequest", "name must be provided");
  if (status && verb == "delete") return methodNotAllowed();
  if (verb == "create" && (!whole || (resource.namespaced() && access.nameSpace.empty()))) return methodNotAllowed();

  const Call call = {request, query, resource, access, *accepted};
  auto answered = [&]() -> Result<http::Response> {
    if (verb == "get") return reader_.get(call);
    if (verb == "list") return reader_.list(call);
    if (verb == "watch") return reader_.watch(call);
    if (verb == "create") return writer_.create(call);
    if (verb == "update") return writer_.update(call);
    if (verb == "patch") return writer_.patch(call);
    if (verb == "delete") return writer_.remove(call);
    return writer_.removeCollection(call);
  }();
  if (!answered) return refuse(answered.error(), subjectOf(resource.kind(), access.name));
  return std::move(*answered);
}

http::Response ApiServer::answerEndpoint(const Endpoint& endpoint, const EndpointCall& call) {
  if (std::find(endpoint.verbs.begin(), endpoint.verbs.end(), call.verb) == endpoint.verbs.end())
    return methodNotAllowed();
  auto answered = endpoint.answer(call);
  if (!answered) return refuse(answered.error(), {endpoint.group, endpoint.resource, endpoint.kind, call.key.name});
  return std::move(*answered);
}

http::Response ApiServer::answerPath(const http::Request& request, const http::Target& target) {
  if (request.method != "GET" && request.method != "HEAD") return notServed();
  const std::string first = target.segments.empty() ? "" : target.segments[0];
  if (isHealthPath(first)) return respondText(200, "ok");
  if (first == "version") return version();
  if (const auto found = paths_.find(first); found != paths_.end() && target.segments.size() == 1)
    return found->second();
  auto answered = answerDiscovery(discovered_, request, target.segments);
  if (!answered) answered = answerOpenApi(catalog_, request, target.segments);
  return answered ? std::move(*answered) : notServed();
}

const Endpoint* ApiServer::findEndpoint(const ResourcePath& path) const {
  const auto found = std::find_if(endpoints_.begin(), endpoints_.end(), [&](const Endpoint& endpoint) {
    return endpoint.resource == path.resource && endpoint.subresource == path.subresource &&
           endpoint.group == path.group && endpoint.version == path.version &&
           endpoint.namespaced == !path.nameSpace.empty() && (endpoint.subresource.empty() || !path.name.empty());
  });
  return found == endpoints_.end() ? nullptr : &*found;
}

}  // namespace godwit::apiserver
