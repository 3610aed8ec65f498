#pragma once

#include "object/document.hpp"

namespace godwit::apiserver {

// Kubernetes' strategic merge patch for built-in kinds: a merge patch in which lists of named things
// (containers, volumes, conditions ...) are merged element by element, and "$patch", "$retainKeys",
// "$setElementOrder/..." and "$deleteFromPrimitiveList/..." direct the merge.
void applyStrategicPatch(json::object& target, const json::object& patch);

}  // namespace godwit::apiserver
