#include "kinds/migration_rules.hpp"

#include "base/quantity.hpp"

namespace godwit::kinds {

std::vector<FieldProblem> problemsOf(const MigrationOptions& options, const std::string& path) {
  const auto bytes = parseQuantity(options.bandwidthPerMigration.value_or("0"));
  if (bytes && *bytes < 0) return {{path + ".bandwidthPerMigration", "must not be negative"}};
  return {};
}

std::vector<FieldProblem> problemsOf(const MigrationPolicy& policy) { return problemsOf(policy.spec, "spec"); }

std::vector<FieldProblem> problemsOf(const KubeVirt& cluster) {
  const auto& said = cluster.spec.configuration;
  if (!said || !said->migrations) return {};
  return problemsOf(*said->migrations, "spec.configuration.migrations");
}

}  // namespace godwit::kinds
