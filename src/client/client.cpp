#include "client/client.hpp"

#include <fmt/format.h>

#include "http/uri.hpp"

namespace godwit::client {
namespace {

std::string pathOf(const schema::Kind& kind, const std::string& nameSpace, const std::string& name,
                   std::string_view subresource = "") {
  std::string path =
      kind.group.empty() ? fmt::format("/api/{}", kind.version) : fmt::format("/apis/{}/{}", kind.group, kind.version);
  if (kind.scope == schema::Scope::Namespaced && !nameSpace.empty()) path += "/namespaces/" + http::encode(nameSpace);
  path += fmt::format("/{}", kind.plural);
  if (!name.empty()) path += "/" + http::encode(name);
  if (!subresource.empty()) path += fmt::format("/{}", subresource);
  return path;
}

std::string queryOf(const ListOptions& options) {
  std::string query;
  if (!options.labelSelector.empty()) query += "&labelSelector=" + http::encode(options.labelSelector);
  if (!options.fieldSelector.empty()) query += "&fieldSelector=" + http::encode(options.fieldSelector);
  return query;
}

http::Request request(std::string method, std::string target, std::string body = "",
                      std::string contentType = "application/json") {
  http::Request made;
  made.method = std::move(method);
  made.target = std::move(target);
  made.headers["accept"] = "application/json";
  if (!body.empty()) made.headers["content-type"] = std::move(contentType);
  made.body = std::move(body);
  return made;
}

Code codeOf(int status, std::string_view reason) {
  switch (status) {
    case 401:
    case 403:
      return Code::Forbidden;
    case 404:
      return Code::NotFound;
    case 408:
    case 504:
      return Code::Timeout;
    case 409:
      return reason == "AlreadyExists" ? Code::AlreadyExists : Code::Conflict;
    case 410:
      return Code::Gone;
    case 429:
    case 503:
      return Code::Unavailable;
    default:
      return status >= 500 ? Code::Internal : Code::Invalid;
  }
}

// What a metav1.Status says.
Error errorOf(int status, const object::Document& said) {
  const std::string message = object::textAt(said, {"message"});
  return {codeOf(status, object::textAt(said, {"reason"})),
          message.empty() ? fmt::format("the server answered {}", status) : message,
          {}};
}

std::optional<WatchEvent::Type> eventType(std::string_view name) {
  if (name == "ADDED") return WatchEvent::Type::Added;
  if (name == "MODIFIED") return WatchEvent::Type::Modified;
  if (name == "DELETED") return WatchEvent::Type::Deleted;
  if (name == "BOOKMARK") return WatchEvent::Type::Bookmark;
  return std::nullopt;
}

}  // namespace

Result<std::vector<WatchEvent>> Watch::take() {
  std::vector<WatchEvent> events;
  const http::Stream::Taken taken = stream_->take();
  for (const http::Chunk& chunk : taken.chunks) {
    partial_ += *chunk;
    std::size_t begin = 0;
    for (std::size_t end; (end = partial_.find('\n', begin)) != std::string::npos; begin = end + 1)
      TRY(readLine(std::string_view(partial_).substr(begin, end - begin), events));
    partial_.erase(0, begin);
  }
  if (taken.ended && events.empty()) return fail(Code::Unavailable, "the watch has ended");
  return events;
}

Result<> Watch::readLine(std::string_view line, std::vector<WatchEvent>& into) {
  if (line.empty()) return {};
  object::Document event = TRY(object::parseDocument(line));
  const json::value* object = event.if_contains("object");
  if (!object || !object->is_object()) return fail(Code::Internal, "a watch event has no object");
  const std::string type = object::textAt(event, {"type"});
  if (type == "ERROR") {
    const json::value* code = object->as_object().if_contains("code");
    return fail(errorOf(code && code->is_int64() ? static_cast<int>(code->as_int64()) : 500, object->as_object()));
  }
  const auto known = eventType(type);
  if (!known) return fail(Code::Internal, "a watch event has the unknown type " + type);
  into.push_back({*known, std::move(event["object"].as_object())});
  return {};
}

Result<object::Document> Client::send(http::Request request) const {
  const http::Response response = TRY(transport_.send(request));
  auto said = object::parseDocument(response.body);
  if (response.status >= 300)
    return fail(
        within(request.method + " " + request.target, errorOf(response.status, said ? *said : object::Document{})));
  return said;
}

Result<object::Document> Client::get(const schema::Kind& kind, const object::Key& key) const {
  return send(request("GET", pathOf(kind, key.nameSpace, key.name)));
}

Result<DocumentList> Client::list(const schema::Kind& kind, const ListOptions& options) const {
  object::Document list =
      TRY(send(request("GET", pathOf(kind, options.nameSpace, "") + "?resourceVersion=0" + queryOf(options))));
  DocumentList result{{}, object::textAt(list, {"metadata", "resourceVersion"})};
  const json::value* items = list.if_contains("items");
  if (!items || !items->is_array()) return result;
  for (json::value& item : list["items"].as_array())
    if (item.is_object()) result.items.push_back(std::move(item.as_object()));
  return result;
}

Result<std::unique_ptr<Watch>> Client::watch(const schema::Kind& kind, const std::string& since,
                                             const ListOptions& options) const {
  http::Request asked =
      request("GET", pathOf(kind, options.nameSpace, "") +
                         "?watch=true&allowWatchBookmarks=true&resourceVersion=" + since + queryOf(options));
  asked.headers["x-godwit-stream"] = "true";
  http::Response response = TRY(transport_.send(asked));
  if (response.stream) return std::make_unique<Watch>(std::move(response.stream));
  return fail(errorOf(response.status, object::parseDocument(response.body).value_or(object::Document{})));
}

Result<object::Document> Client::create(const schema::Kind& kind, object::Document document) const {
  document["apiVersion"] = schema::apiVersion(kind);
  document["kind"] = kind.name;
  const object::Key key = object::keyOf(document);
  return send(request("POST", pathOf(kind, key.nameSpace, ""), json::serialize(document)));
}

Result<> Client::ensure(const schema::Kind& kind, object::Document document) const {
  const auto created = create(kind, std::move(document));
  if (created || created.error().code == Code::AlreadyExists) return {};
  return fail(created.error());
}

Result<object::Document> Client::mergePatch(const schema::Kind& kind, const object::Key& key, const json::object& patch,
                                            std::string_view subresource) const {
  return send(request("PATCH", pathOf(kind, key.nameSpace, key.name, subresource), json::serialize(patch),
                      "application/merge-patch+json"));
}

Result<> Client::remove(const schema::Kind& kind, const object::Key& key, const std::string& uid) const {
  json::object options = {{"kind", "DeleteOptions"}, {"apiVersion", "v1"}};
  if (!uid.empty()) options["preconditions"] = json::object{{"uid", uid}};
  const auto gone = send(request("DELETE", pathOf(kind, key.nameSpace, key.name), json::serialize(options)));
  const bool anotherOne = !gone && gone.error().code == Code::Conflict && !uid.empty();
  if (gone || gone.error().code == Code::NotFound || anotherOne) return {};
  return fail(gone.error());
}

Result<> Client::post(const schema::Kind& kind, const object::Key& key, std::string_view subresource,
                      const json::object& body) const {
  TRY(send(request("POST", pathOf(kind, key.nameSpace, key.name, subresource), json::serialize(body))));
  return {};
}

void Client::require(json::object& patch, const std::string& resourceVersion) {
  json::value& metadata = patch["metadata"];
  if (!metadata.is_object()) metadata = json::object();
  metadata.as_object()["resourceVersion"] = resourceVersion;
}

Result<http::Response> InProcessTransport::send(const http::Request& request) {
  http::Request authorized = request;
  authorized.headers["authorization"] = authorization_;
  return handler_.handle(authorized);
}

}  // namespace godwit::client
