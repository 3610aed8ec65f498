#pragma once

#include <string>
#include <string_view>

#include "object/document.hpp"

// OpenAPI 2.0, also known as Swagger, which kubectl knew before it learnt OpenAPI v3. That kubectl reads the
// document in its protobuf form, and checks by it whatever it sends.
namespace godwit::apiserver {

// The name it is asked for by has a letter that media types may not have; it is answered by another.
inline constexpr std::string_view kSwaggerProtobufAsked = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
inline constexpr std::string_view kSwaggerProtobufType = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

// The schema without what OpenAPI 2.0 has no words for. An object that takes any field lists none: whoever
// reads that list takes it to be complete.
json::object swaggerSchema(const json::object& schema);

// The document in its protobuf form.
std::string swaggerProtobuf(const json::object& document);

}  // namespace godwit::apiserver
