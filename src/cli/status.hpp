#pragma once

#include <string>

#include "base/result.hpp"
#include "client/client.hpp"

namespace godwit::cli {

// What runs where, what is on its way, and what waits for its turn: nodes, VMs, moves and their queue. As tables, or as
// one JSON document.
Result<std::string> describeStatus(const client::Client& client, bool asJson);

}  // namespace godwit::cli
