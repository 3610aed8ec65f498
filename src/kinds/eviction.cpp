#include "kinds/eviction.hpp"

namespace godwit::kinds {
namespace {

std::string obstacleTo(const VirtualMachineInstance& instance) {
  const Condition* const movable = findCondition(instance.status.conditions, "LiveMigratable");
  if (!movable) return "it does not run yet";
  return movable->status == "True" ? "" : movable->reason + ": " + movable->message;
}

}  // namespace

Departure departureOf(const VirtualMachineInstance& instance) {
  using Way = Departure::Way;
  namespace strategy = eviction_strategy;
  const std::string_view wanted = instance.evictionStrategy();
  std::string obstacle = obstacleTo(instance);
  if (wanted == strategy::kNone) return {Way::Ends, std::move(obstacle)};
  if (wanted == strategy::kExternal || obstacle.empty()) return {Way::Moves, std::move(obstacle)};
  return {wanted == strategy::kLiveMigrateIfPossible ? Way::Ends : Way::Stays, std::move(obstacle)};
}

}  // namespace godwit::kinds
