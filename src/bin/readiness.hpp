#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "bin/layout.hpp"
#include "kinds/volume.hpp"

namespace godwit::bin {

struct UpOptions;

// Tries for a minute until it works. A process that is starting has no event to tell when it will answer.
Result<> insist(const std::function<Result<>()>& attempt, std::stop_token stop);

// The port itself, or one that is free when it is 0.
Result<unsigned short> listeningPort(unsigned short asked);

Result<> waitForServer(const Layout& layout, std::stop_token stop);
Result<> waitForNodes(const Layout& layout, const std::vector<std::string>& nodes, std::stop_token stop);

// The classes that need nothing but this machine: `local` and, for root, `block` on each
// node, `shared` by all of them.
std::vector<kinds::StorageClass> ownClasses(const Layout& layout);
Result<> makeStorageClasses(const Layout& layout, const std::vector<kinds::StorageClass>& classes);

// Starts the same `up` in a session of its own, and returns when it is ready.
Result<> upInTheBackground(const Layout& layout, const UpOptions& options);

}  // namespace godwit::bin
