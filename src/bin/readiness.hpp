#pragma once

#include <stop_token>

#include "base/result.hpp"
#include "bin/layout.hpp"

namespace godwit::bin {

struct UpOptions;

// The port itself, or one that is free when it is 0.
Result<unsigned short> listeningPort(unsigned short asked);

Result<> waitForServer(const Layout& layout, std::stop_token stop);
Result<> waitForNodes(const Layout& layout, int nodes, std::stop_token stop);

// The ready-made classes: `local` on each node, `shared` by all of them.
Result<> makeStorageClasses(const Layout& layout);

// Starts the same `up` in a session of its own, and returns when it is ready.
Result<> upInTheBackground(const Layout& layout, const UpOptions& options);

}  // namespace godwit::bin
