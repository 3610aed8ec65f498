#pragma once

#include <vector>

#include "kinds/kubevirt.hpp"
#include "kinds/migration_policy.hpp"

namespace godwit::kinds {

// What is wrong with options that are said at `path`, and no rule for a single field shows.
std::vector<FieldProblem> problemsOf(const MigrationOptions& options, const std::string& path);
std::vector<FieldProblem> problemsOf(const MigrationPolicy& policy);
std::vector<FieldProblem> problemsOf(const KubeVirt& cluster);

}  // namespace godwit::kinds
