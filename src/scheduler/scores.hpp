#pragma once

#include <span>

#include "scheduler/snapshot.hpp"

namespace godwit::scheduler {

// The best of the nodes, none of which refuses the pod; the first of several that are equally good.
// There must be one.
const NodeView& bestOf(std::span<const NodeView* const> nodes, const Demand& demand);

}  // namespace godwit::scheduler
