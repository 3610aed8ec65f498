#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apiserver/resource.hpp"
#include "http/message.hpp"

// OpenAPI documents, as far as kubectl asks them: what explain prints, and which writes know
// dryRun and fieldValidation.
namespace godwit::apiserver {

// Answers /openapi/v3, /openapi/v3/api/VERSION, /openapi/v3/apis/GROUP/VERSION and /openapi/v2.
std::optional<http::Response> answerOpenApi(const Catalog& catalog, const http::Request& request,
                                            const std::vector<std::string>& segments);

}  // namespace godwit::apiserver
