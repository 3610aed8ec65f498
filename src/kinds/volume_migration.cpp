#include "kinds/volume_migration.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/time_format.hpp"
#include "kinds/migration_rules.hpp"

namespace godwit::kinds {
namespace {

std::vector<FieldProblem> problemsOfTerms(const VolumeMigrationSpec& spec) {
  std::vector<FieldProblem> problems;
  if (spec.options) problems = problemsOf(*spec.options, "spec.options");
  if (!spec.keepInSync.empty())
    if (const auto window = parseDuration(spec.keepInSync); !window || *window <= Duration::zero())
      problems.push_back({"spec.keepInSync", "must be a time that is not over at once, like \"10m\" or \"1h30m\""});
  if (spec.mechanism != Mechanism::AcrossNodes && spec.mechanism != Mechanism::Offline) return problems;
  if (spec.verify) problems.push_back({"spec.verify", std::string(kNotAcrossNodes)});
  if (!spec.keepInSync.empty()) problems.push_back({"spec.keepInSync", std::string(kNotAcrossNodes)});
  return problems;
}

}  // namespace

bool holdsClaim(const VolumeMigration& wish, const std::string& claim) {
  const VolumeMigrationPhase phase = wish.status.phase;
  const bool underWay = phase == VolumeMigrationPhase::Scheduling || phase == VolumeMigrationPhase::Running;
  const auto& states = wish.status.volumeMigrationStates;  // with the names of claims that are made for it
  return underWay && wish.spec.mechanism == Mechanism::Offline &&
         std::any_of(states.begin(), states.end(), [&](const VolumeMigrationState& state) {
           return state.sourceClaim == claim || state.destinationClaim == claim;
         });
}

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
  for (FieldProblem& problem : problemsOfTerms(wish.spec)) problems.push_back(std::move(problem));
  return problems;
}

}  // namespace godwit::kinds
