#pragma once

#include "kinds/migration_options.hpp"
#include "kinds/pod.hpp"
#include "mover/options.hpp"

namespace godwit::node::moving {

// What the options of a migration mean to its mover. What they leave open is as in KubeVirt.
Result<mover::Options> optionsFrom(const kinds::MigrationOptions& chosen);

// Those that the mover's pod carries; nothing when it carries none that can be read.
std::optional<mover::Options> optionsOf(const kinds::Pod& pod);

}  // namespace godwit::node::moving
