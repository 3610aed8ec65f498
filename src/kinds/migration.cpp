#include "kinds/migration.hpp"

namespace godwit::kinds {

std::vector<FieldProblem> problemsOf(const VirtualMachineInstanceMigration& migration) {
  const auto& term = migration.spec.addedNodeSelectorTerm;
  return term ? problemsOf(*term, "spec.addedNodeSelectorTerm") : std::vector<FieldProblem>();
}

}  // namespace godwit::kinds
