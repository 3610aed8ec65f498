#pragma once

#include "scheduler/snapshot.hpp"

namespace godwit::scheduler {

// What the pod's terms about other pods, and theirs about it, mean with the pods where they are.
// A term speaks of pods in the namespace of the pod that has it.
Neighbourhood neighbourhoodOf(const kinds::Pod& pod, std::span<const NodeView> nodes);

// Whether the pod must be near others: only then can the arrival of one help it.
bool seeksCompany(const kinds::Pod& pod);

}  // namespace godwit::scheduler
