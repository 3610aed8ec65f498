#pragma once

#include "hypervisor/hypervisor.hpp"
#include "mover/observed.hpp"
#include "mover/orders.hpp"

namespace godwit::mover {

DiskPlace placeOf(const hypervisor::DomainState& guest, const MovedDisk& moved);

}  // namespace godwit::mover
