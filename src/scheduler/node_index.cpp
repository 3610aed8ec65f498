#include "scheduler/node_index.hpp"

#include <algorithm>

#include "scheduler/spelling.hpp"

namespace godwit::scheduler {
namespace {

using Operator = object::Requirement::Operator;

// With more values it is no longer much of a choice, and takes its time to look up.
constexpr std::size_t kFewValues = 16;

const std::string kName;

NodeIndex::List::iterator placeIn(NodeIndex::List& list, const NodeView& node) {
  return std::lower_bound(list.begin(), list.end(), node.name,
                          [](const NodeView* one, const std::string& name) { return one->name < name; });
}

void insert(NodeIndex::List& list, const NodeView& node) { list.insert(placeIn(list, node), &node); }
void erase(NodeIndex::List& list, const NodeView& node) { list.erase(placeIn(list, node)); }

const std::string& valueIn(const std::string& value) { return value; }
const std::string& valueIn(const std::pair<const Name, std::int64_t>& counted) { return counted.first.text(); }

}  // namespace

void NodeIndex::add(const NodeView& node) {
  insert(all_, node);
  insert(byLabel_[spell(kName, node.name)], node);
  for (const std::string& label : spell(node.labels)) insert(byLabel_[label], node);
}

void NodeIndex::remove(const NodeView& node) {
  erase(all_, node);
  const auto removeFrom = [&](const std::string& label) {
    const auto found = byLabel_.find(label);
    erase(found->second, node);
    if (found->second.empty()) byLabel_.erase(found);
  };
  removeFrom(spell(kName, node.name));
  for (const std::string& label : spell(node.labels)) removeFrom(label);
}

// The values must differ from each other, so that no node is listed twice.
template <class Values>
void NodeIndex::narrow(Choice& best, const std::string& label, const Values& values) const {
  if (values.size() > kFewValues) return;
  Choice choice;
  for (const auto& value : values) {
    const auto found = byLabel_.find(spell(label, valueIn(value)));
    if (found == byLabel_.end()) continue;
    choice.lists.push_back(&found->second);
    choice.size += found->second.size();
  }
  if (choice.size < best.size) best = std::move(choice);
}

// Only of a single term can each requirement be relied upon.
void NodeIndex::narrow(Choice& best, const kinds::NodeSelector& selector) const {
  if (selector.nodeSelectorTerms.size() != 1) return;
  const kinds::NodeSelectorTerm& term = selector.nodeSelectorTerms.front();
  const auto narrowBy = [&](const std::string& label, const object::Requirement& requirement) {
    if (requirement.op != Operator::In || requirement.values.size() > kFewValues) return;
    std::vector<std::string> values = requirement.values;
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    narrow(best, label, values);
  };
  for (const object::Requirement& requirement : term.matchExpressions) narrowBy(requirement.key, requirement);
  for (const object::Requirement& requirement : term.matchFields)
    if (requirement.key == "metadata.name") narrowBy(kName, requirement);
}

void NodeIndex::narrow(Choice& best, const Neighbourhood& neighbourhood) const {
  if (neighbourhood.firstOfItsKind) return;
  for (const Tally* tally : neighbourhood.sought) narrow(best, tally->label.text(), tally->counts);
}

Nodes NodeIndex::promising(const Demand& demand, List& gathered) const {
  Choice best{.lists = {&all_}, .size = all_.size()};
  for (const auto& [label, value] : demand.spec.nodeSelector) narrow(best, label, std::vector{value});
  const auto& affinity = demand.spec.affinity;
  if (affinity && affinity->nodeAffinity && affinity->nodeAffinity->required)
    narrow(best, *affinity->nodeAffinity->required);
  for (const ClaimView& claim : demand.claims) {
    if (claim.reachableFrom) narrow(best, *claim.reachableFrom);
    if (!claim.selectedNode.empty()) narrow(best, kName, std::vector{claim.selectedNode});
  }
  narrow(best, demand.neighbourhood);
  if (best.lists.size() == 1) return *best.lists.front();
  for (const List* list : best.lists) gathered.insert(gathered.end(), list->begin(), list->end());
  return gathered;
}

}  // namespace godwit::scheduler
