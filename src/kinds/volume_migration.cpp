#include "kinds/volume_migration.hpp"

#include <fmt/format.h>

namespace godwit::kinds {

std::vector<FieldProblem> problemsOf(const VolumeMigration& wish) {
  constexpr const char* kPath = "spec.migratedVolume";
  const auto& volumes = wish.spec.migratedVolume;
  if (volumes.empty()) return {{kPath, "must name at least one volume"}};
  std::vector<MigratedClaim> moved;
  for (const MigratedVolume& volume : volumes) moved.push_back({volume.sourceClaim, volume.destinationClaim});
  std::vector<FieldProblem> problems = problemsOf(moved, kPath);
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const std::string at = fmt::format("{}[{}].destinationClaim", kPath, i);
    if (volumes[i].destinationClaim.empty() && volumes[i].destinationStorageClass.empty())
      problems.push_back({at, "is required, unless destinationStorageClass says what to make one of"});
    if (!volumes[i].destinationClaim.empty() && !volumes[i].destinationStorageClass.empty())
      problems.push_back({at, "must be left out where destinationStorageClass is said: a claim is made then"});
  }
  return problems;
}

}  // namespace godwit::kinds
