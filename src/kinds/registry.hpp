#pragma once

#include <vector>

#include "schema/definition.hpp"

namespace godwit::kinds {

// Every kind that Godwit serves.
std::vector<schema::Definition> all();
// Those that a real Kubernetes does not bring: what `godwit crds` prints.
std::vector<schema::Definition> custom();

}  // namespace godwit::kinds
