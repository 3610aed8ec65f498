#pragma once

#include <memory>

#include "hypervisor/hypervisor.hpp"
#include "hypervisor/simulated/state.hpp"

namespace godwit::hypervisor::simulated {

// A client of one host's daemon. The fabric must outlive it.
std::unique_ptr<Hypervisor> makeClient(FabricState& fabric, SimulatedHost& host);

}  // namespace godwit::hypervisor::simulated
