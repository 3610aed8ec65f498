#pragma once

#include <memory>
#include <string>

#include "base/clock.hpp"
#include "bin/commands.hpp"
#include "http/server.hpp"

namespace godwit::bin {

// The node's own port, and what it proves to be itself with.
struct NodeServing {
  std::unique_ptr<http::Server> server;
  std::string certificate;  // PEM
};

// Listens with a certificate of its own making, a new one each time: whoever asks learns it from the Node object. Only
// clients whom `authority` (PEM) vouches for are heard.
Result<NodeServing> serveAsNode(const NodeOptions& options, const std::string& authority, http::Handler& handler,
                                Timestamp now);

}  // namespace godwit::bin
