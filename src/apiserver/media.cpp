#include "apiserver/media.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "apiserver/protobuf.hpp"
#include "apiserver/status.hpp"
#include "object/yaml.hpp"

namespace godwit::apiserver {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kYaml = "application/yaml";

struct MediaRange {
  std::string type;
  std::map<std::string, std::string, std::less<>> parameters;

  std::string parameter(std::string_view name) const {
    const auto found = parameters.find(name);
    return found == parameters.end() ? std::string() : found->second;
  }
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(separator, start), text.size());
    if (const auto part = trimmed(text.substr(start, end - start)); !part.empty()) parts.push_back(part);
    start = end + 1;
  }
  return parts;
}

MediaRange parseRange(std::string_view text) {
  MediaRange range;
  for (const std::string_view part : split(text, ';')) {
    const auto equals = part.find('=');
    if (range.type.empty())
      range.type = part;
    else if (equals != std::string_view::npos)
      range.parameters.emplace(trimmed(part.substr(0, equals)), trimmed(part.substr(equals + 1)));
  }
  std::transform(range.type.begin(), range.type.end(), range.type.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return range;
}

std::vector<MediaRange> rangesIn(const http::Request& request) {
  const auto accept = request.headers.find("accept");
  std::vector<MediaRange> ranges;
  if (accept != request.headers.end())
    for (const std::string_view part : split(accept->second, ',')) ranges.push_back(parseRange(part));
  if (ranges.empty()) ranges.push_back({"*/*", {}});
  return ranges;
}

std::optional<Representation> served(const MediaRange& range) {
  const bool yaml = range.type == kYaml;
  if (!yaml && range.type != kJson && range.type != "*/*" && range.type != "application/*") return std::nullopt;
  const std::string as = range.parameter("as");
  if (as.empty()) return Representation{Shape::Object, yaml};
  if (range.parameter("g") != "meta.k8s.io" || range.parameter("v") != "v1") return std::nullopt;
  if (as == "Table") return Representation{Shape::Table, yaml};
  if (as == "PartialObjectMetadata" || as == "PartialObjectMetadataList") return Representation{Shape::Metadata, yaml};
  return std::nullopt;
}

Error unreadable(std::string_view kind, std::string_view why, std::string_view body) {
  return badRequest(
      fmt::format("the object provided is unrecognized (must be of type {}): couldn't get version/kind; "
                  "json parse error: {} ({})",
                  kind, why, body.substr(0, 100)));
}

}  // namespace

std::optional<Representation> acceptedBy(const http::Request& request) {
  for (const MediaRange& range : rangesIn(request))
    if (const auto representation = served(range)) return representation;
  return std::nullopt;
}

http::Response notAcceptable() {
  return refuse(406, "NotAcceptable",
                "406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, "
                "application/json;stream=watch");
}

bool accepts(const http::Request& request, std::string_view mediaType) {
  const auto ranges = rangesIn(request);
  return std::any_of(ranges.begin(), ranges.end(), [&](const MediaRange& range) { return range.type == mediaType; });
}

std::optional<std::string> aggregatedDiscovery(const http::Request& request) {
  for (const MediaRange& range : rangesIn(request)) {
    if (range.type != kJson || range.parameter("g") != "apidiscovery.k8s.io") continue;
    const std::string version = range.parameter("v");
    if (range.parameter("as") == "APIGroupDiscoveryList" && (version == "v2" || version == "v2beta1")) return version;
  }
  return std::nullopt;
}

std::string mediaTypeOf(const http::Request& request) {
  const auto type = request.headers.find("content-type");
  return type == request.headers.end() ? std::string(kJson) : parseRange(type->second).type;
}

bool isDocumentType(std::string_view mediaType) {
  return mediaType == kJson || mediaType == kYaml || mediaType == kProtobufType;
}

http::Response unsupportedMediaType(std::string_view acceptedTypes) {
  return refuse(415, "UnsupportedMediaType",
                fmt::format("the body of the request was in an unknown format - accepted media types include: {}",
                            acceptedTypes));
}

Result<object::Document> documentIn(const http::Request& request, std::string_view kind) {
  const std::string type = mediaTypeOf(request);
  if (type == kProtobufType) return parseProtobuf(request.body);
  if (type == kJson) {
    auto document = object::parseDocument(request.body);
    if (!document) return fail(unreadable(kind, document.error().message, request.body));
    return document;
  }
  auto values = object::parseYaml(request.body);
  if (!values) return fail(unreadable(kind, values.error().message, request.body));
  if (values->size() != 1 || !values->front().is_object())
    return fail(unreadable(kind, "exactly one object is expected", request.body));
  return std::move(values->front().as_object());
}

void rewriteAsYaml(http::Response& response) {
  if (response.stream || response.headers["content-type"] != kJson) return;
  const auto document = object::parseDocument(response.body);
  if (!document) return;
  response.body = object::writeYaml(*document);
  response.headers["content-type"] = kYaml;
}

}  // namespace godwit::apiserver
