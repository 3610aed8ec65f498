#include "kinds/condition.hpp"

#include <algorithm>

namespace godwit::kinds {

const Condition* findCondition(const std::vector<Condition>& conditions, std::string_view type) {
  const auto found =
      std::find_if(conditions.begin(), conditions.end(), [&](const Condition& c) { return c.type == type; });
  return found == conditions.end() ? nullptr : &*found;
}

bool isTrue(const std::vector<Condition>& conditions, std::string_view type) {
  const Condition* found = findCondition(conditions, type);
  return found && found->status == "True";
}

void setCondition(std::vector<Condition>& conditions, Condition condition, Timestamp now) {
  const Condition* before = findCondition(conditions, condition.type);
  condition.lastTransitionTime = before && before->status == condition.status ? before->lastTransitionTime : now;
  if (before)
    conditions[static_cast<std::size_t>(before - conditions.data())] = std::move(condition);
  else
    conditions.push_back(std::move(condition));
}

void dropCondition(std::vector<Condition>& conditions, std::string_view type) {
  std::erase_if(conditions, [&](const Condition& condition) { return condition.type == type; });
}

std::optional<Timestamp> enteredAt(const std::vector<PhaseTransition>& transitions, std::string_view phase) {
  for (auto it = transitions.rbegin(); it != transitions.rend(); ++it)
    if (it->phase == phase) return it->phaseTransitionTimestamp;
  return std::nullopt;
}

}  // namespace godwit::kinds
