#pragma once

#include <vector>

#include "kinds/data_volume.hpp"

namespace godwit::kinds {

// What is wrong with a DataVolume that none of its fields shows alone.
std::vector<FieldProblem> problemsOf(const DataVolume& volume);

}  // namespace godwit::kinds
