#pragma once

#include "node/site.hpp"

namespace godwit::node::moving {

// What the mover of this pod has to do, gathered from the API once and for all: a mover
// that takes over from a dead one gets the same orders. Forbidden when there is no way from node to node.
Result<mover::Orders> composeOrders(const Site& site, const kinds::Pod& pod);

// What can be known of the orders of a move that the instance takes part in, before its mover has a pod.
mover::Orders draftOrders(const Site& site, const kinds::VirtualMachineInstance& instance);

}  // namespace godwit::node::moving
