#pragma once

#include <string>

#include "base/result.hpp"
#include "kinds/migration_options.hpp"
#include "kinds/node.hpp"

namespace godwit::node::moving {

// How a guest gets from one node to another.
struct Route {
  std::string targetUri;             // of the target's hypervisor, as the source reaches it
  std::string socketDirectory = {};  // where both are on one machine, and share it
  std::string address = {};          // else: the target's, for memory and disks
  bool encrypted = false;

  bool operator==(const Route&) const = default;
};

// `certificates` is the directory in which the source has its own. Forbidden, with the remedy, when there is no way.
Result<Route> routeBetween(const kinds::Node& source, const kinds::Node& target,
                           const kinds::MigrationConfiguration& wishes, const std::string& certificates);

}  // namespace godwit::node::moving
