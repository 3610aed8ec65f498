#pragma once

#include <string_view>

#include "object/document.hpp"

// The protobuf form of Kubernetes objects. kubectl sends it for what it creates from its own types
// (create namespace, auth can-i, drain ...) and takes JSON in return, so it is read and never written.
namespace godwit::apiserver {

inline constexpr std::string_view kProtobufType = "application/vnd.kubernetes.protobuf";

// Code::Invalid for what is damaged, and for kinds whose form is not known.
Result<object::Document> parseProtobuf(std::string_view body);

}  // namespace godwit::apiserver
