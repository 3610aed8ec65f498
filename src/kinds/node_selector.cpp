#include "kinds/node_selector.hpp"

#include <algorithm>

namespace godwit::kinds {

bool matches(const NodeSelectorTerm& term, const std::string& nodeName, const object::Labels& labels) {
  if (term.empty()) return false;
  const auto holdFor = [](const std::vector<object::Requirement>& all, const object::Labels& of) {
    return std::all_of(all.begin(), all.end(), [&](const auto& one) { return object::matches(one, of); });
  };
  if (!holdFor(term.matchExpressions, labels)) return false;
  return term.matchFields.empty() || holdFor(term.matchFields, {{"metadata.name", nodeName}});
}

bool matches(const NodeSelector& selector, const std::string& nodeName, const object::Labels& labels) {
  return std::any_of(selector.nodeSelectorTerms.begin(), selector.nodeSelectorTerms.end(),
                     [&](const NodeSelectorTerm& term) { return matches(term, nodeName, labels); });
}

bool matches(const LabelQuery& query, const object::Labels& labels) {
  const auto has = [&](const auto& wanted) {
    const auto found = labels.find(wanted.first);
    return found != labels.end() && found->second == wanted.second;
  };
  return std::all_of(query.matchLabels.begin(), query.matchLabels.end(), has) &&
         std::all_of(query.matchExpressions.begin(), query.matchExpressions.end(),
                     [&](const auto& one) { return object::matches(one, labels); });
}

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (toleration.key.empty()) return toleration.op == "Exists";
  if (toleration.key != taint.key) return false;
  return toleration.op == "Exists" || toleration.value == taint.value;
}

}  // namespace godwit::kinds
