#include "kinds/migration.hpp"

#include <set>

#include <fmt/format.h>

#include "kinds/migration_rules.hpp"

namespace godwit::kinds {

std::vector<FieldProblem> problemsOf(const VirtualMachineInstanceMigration& migration) {
  std::vector<FieldProblem> problems;
  if (migration.spec.mechanism == Mechanism::Offline)
    problems.push_back({"spec.mechanism", "Offline moves volumes that no guest runs on: ask a VolumeMigration for it"});
  if (const auto& term = migration.spec.addedNodeSelectorTerm)
    for (FieldProblem& problem : problemsOf(*term, "spec.addedNodeSelectorTerm"))
      problems.push_back(std::move(problem));
  if (const auto& options = migration.spec.options)
    for (FieldProblem& problem : problemsOf(*options, "spec.options")) problems.push_back(std::move(problem));
  for (FieldProblem& problem : problemsOf(migration.spec.migratedVolumes, "spec.migratedVolumes"))
    problems.push_back(std::move(problem));
  if (migration.spec.verify && migration.spec.mechanism == Mechanism::AcrossNodes)
    problems.push_back({"spec.verify", std::string(kNotAcrossNodes)});
  return problems;
}

std::vector<FieldProblem> problemsOf(const std::vector<MigratedClaim>& moved, const std::string& path) {
  std::vector<FieldProblem> problems;
  std::set<std::string> named;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    const auto complain = [&](const char* member, std::string problem) {
      problems.push_back({fmt::format("{}[{}].{}", path, i, member), std::move(problem)});
    };
    const auto& [source, destination] = moved[i];
    if (source == destination) complain("destinationClaim", "must differ from sourceClaim");
    for (const auto& [member, claim] : {std::pair("sourceClaim", source), std::pair("destinationClaim", destination)}) {
      if (claim.empty()) continue;
      if (claim.find('/') != std::string::npos)
        complain(member, "must be the name of a claim in the same namespace: a volume cannot leave its namespace");
      else if (source != destination && !named.insert(claim).second)
        complain(member, fmt::format("claim {} is named twice", claim));
    }
  }
  return problems;
}

}  // namespace godwit::kinds
