#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "http/message.hpp"
#include "object/document.hpp"

// What bodies look like: which form the caller wants, and how to read the one it sent.
namespace godwit::apiserver {

enum class Shape { Object, Table, Metadata };

struct Representation {
  Shape shape = Shape::Object;
  bool yaml = false;
};

// The first form in the Accept header that is served; nothing when none is.
std::optional<Representation> acceptedBy(const http::Request& request);
http::Response notAcceptable();

// Whether the Accept header names exactly this type.
bool accepts(const http::Request& request, std::string_view mediaType);

// Version of aggregated discovery that the caller prefers to plain discovery ("v2", "v2beta1"), if any.
std::optional<std::string> aggregatedDiscovery(const http::Request& request);

// The body's media type without parameters; JSON when it is not named.
std::string mediaTypeOf(const http::Request& request);
bool isDocumentType(std::string_view mediaType);
http::Response unsupportedMediaType(std::string_view acceptedTypes);
inline constexpr std::string_view kDocumentTypes =
    "application/json, application/yaml, application/vnd.kubernetes.protobuf";

// The JSON, YAML or protobuf document in a body that is to hold `kind`.
Result<object::Document> documentIn(const http::Request& request, std::string_view kind);

// Turns a JSON body into YAML, for those who asked for it.
void rewriteAsYaml(http::Response& response);

}  // namespace godwit::apiserver
