#pragma once

#include <string>
#include <string_view>

#include "apiserver/objects.hpp"
#include "apiserver/resource.hpp"
#include "http/message.hpp"

// The bodies of PATCH requests.
namespace godwit::apiserver {

inline constexpr std::string_view kApplyPatch = "application/apply-patch+yaml";

// The media types a resource takes, as a refusal lists them.
std::string patchTypesOf(const Resource& resource);
bool takesPatchType(const Resource& resource, std::string_view mediaType);

// What the body asks for; Code::Invalid when it cannot be read.
Result<Change> changeIn(const http::Request& request, const Resource& resource);

}  // namespace godwit::apiserver
