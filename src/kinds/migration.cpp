#include "kinds/migration.hpp"

#include "kinds/migration_rules.hpp"

namespace godwit::kinds {

std::vector<FieldProblem> problemsOf(const VirtualMachineInstanceMigration& migration) {
  std::vector<FieldProblem> problems;
  if (const auto& term = migration.spec.addedNodeSelectorTerm)
    problems = problemsOf(*term, "spec.addedNodeSelectorTerm");
  if (const auto& options = migration.spec.options)
    for (FieldProblem& problem : problemsOf(*options, "spec.options")) problems.push_back(std::move(problem));
  return problems;
}

}  // namespace godwit::kinds
