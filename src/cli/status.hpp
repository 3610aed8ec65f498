#pragma once

#include <string>

#include "base/result.hpp"
#include "client/client.hpp"

namespace godwit::cli {

// What runs where, and what is on its way: nodes, VMs and moves. As tables, or as one JSON document.
Result<std::string> describeStatus(const client::Client& client, bool asJson);

}  // namespace godwit::cli
