#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "http/client.hpp"

namespace godwit::client {

// The server of the current context, and who the caller is to it. Invalid when it asks for what Godwit does
// not do: plain HTTP, servers below a path, an unknown authority, credentials from a program.
Result<http::ClientConfig> loadKubeconfig(const std::string& path);

// A kubeconfig with one cluster, one user and one context, all called `name`; certificates and keys are within.
std::string writeKubeconfig(const http::ClientConfig& config, const std::string& name);

}  // namespace godwit::client
