#pragma once

#include <functional>
#include <string>

#include "apiserver/endpoint.hpp"
#include "apiserver/objects.hpp"

namespace godwit::apiserver {

using AskNode = std::function<Result<http::Response>(const std::string& node, http::Request request)>;

// GET .../PODNAME/log: what the pod's node has under /containerLogs/, streamed on as it comes. The first two
// arguments must outlive the endpoint.
Endpoint podLogEndpoint(Objects& objects, const Resource& pods, AskNode askNode);

}  // namespace godwit::apiserver
