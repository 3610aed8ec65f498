#include "kinds/virtual_machine.hpp"

namespace godwit::kinds {

std::vector<FieldProblem> problemsOf(const VirtualMachine& machine) {
  const bool byFlag = machine.spec.running.has_value();
  const bool byStrategy = !machine.spec.runStrategy.empty();
  if (byFlag && byStrategy) return {{"spec.running", "Running and RunStrategy are mutually exclusive"}};
  if (!byFlag && !byStrategy) return {{"spec.running", "One of Running or RunStrategy must be specified"}};
  return {};
}

}  // namespace godwit::kinds
