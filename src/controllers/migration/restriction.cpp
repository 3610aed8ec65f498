#include "controllers/migration/restriction.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace godwit::controllers::migration {
namespace {

using kinds::NodeSelectorTerm;
using object::Requirement;

void append(std::vector<Requirement>& to, const std::vector<Requirement>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// A term without requirements matches no node, and must not begin to match some by being added to.
void add(std::optional<kinds::NodeSelector>& required, const NodeSelectorTerm& added) {
  if (!required) {
    required = kinds::NodeSelector{{added}};
    return;
  }
  for (NodeSelectorTerm& term : required->nodeSelectorTerms) {
    if (term.empty()) continue;
    append(term.matchExpressions, added.matchExpressions);
    append(term.matchFields, added.matchFields);
  }
}

std::vector<std::string> collisions(const object::Labels& own, const object::Labels& added) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : added)
    if (const auto found = own.find(key); found != own.end() && found->second != value) keys.push_back(key);
  return keys;
}

std::string explainCollisions(const std::vector<std::string>& keys, const object::Labels& own,
                              const object::Labels& added) {
  std::vector<std::string> pairs;
  for (const std::string& key : keys)
    pairs.push_back(fmt::format("the VM asks for {0}={1}, the migration for {0}={2}", key, own.at(key), added.at(key)));
  return fmt::format("Conflicting node selectors: [{}]: {}; what the VM asks for is never overridden",
                     fmt::join(keys, ", "), fmt::join(pairs, "; "));
}

std::string show(const kinds::MigrationSpec& asked) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : asked.addedNodeSelector) parts.push_back(fmt::format("{}={}", key, value));
  if (asked.addedNodeSelectorTerm) parts.push_back(kinds::show(*asked.addedNodeSelectorTerm));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string explainNoMatch(const kinds::MigrationSpec& asked, const Nodes& nodes) {
  if (asked.addedNodeSelectorTerm)
    for (const Requirement& field : asked.addedNodeSelectorTerm->matchFields) {
      const bool named = field.op == Requirement::Operator::In && field.values.size() == 1;
      const auto isNamed = [&](const auto& node) { return node->metadata.name == field.values.front(); };
      if (named && std::none_of(nodes.begin(), nodes.end(), isNamed))
        return fmt::format("node {} does not exist", field.values.front());
    }
  return fmt::format("no node matches what the migration asks for: {}", show(asked));
}

std::string namesOf(const Nodes& nodes) {
  std::vector<std::string> names;
  for (const auto& node : nodes) names.push_back(node->metadata.name);
  std::sort(names.begin(), names.end());
  return fmt::format("{}", fmt::join(names, ", "));
}

bool admits(const kinds::VirtualMachineInstanceSpec& machine, const kinds::Node& node) {
  return kinds::mayGoTo(machine.nodeSelector, machine.affinity, node.metadata.name, node.metadata.labels);
}

bool mayStay(const kinds::MigrationSpec& asked) {
  return !asked.migratedVolumes.empty() && asked.mechanism != kinds::Mechanism::AcrossNodes;
}
bool mustStay(const kinds::MigrationSpec& asked) {
  return !asked.migratedVolumes.empty() && asked.mechanism == kinds::Mechanism::InPlace;
}

}  // namespace

void restrict(kinds::PodSpec& pod, const kinds::MigrationSpec& asked) {
  pod.nodeSelector.insert(asked.addedNodeSelector.begin(), asked.addedNodeSelector.end());
  const auto& term = asked.addedNodeSelectorTerm;
  if (!term || term->empty()) return;
  if (!pod.affinity) pod.affinity.emplace();
  if (!pod.affinity->nodeAffinity) pod.affinity->nodeAffinity.emplace();
  add(pod.affinity->nodeAffinity->required, *term);
}

std::optional<kinds::NodeSelector> termsOf(const kinds::MigrationSpec& asked) {
  if (!asked.restricted()) return std::nullopt;
  NodeSelectorTerm term = asked.addedNodeSelectorTerm.value_or(NodeSelectorTerm{});
  for (const auto& [key, value] : asked.addedNodeSelector)
    term.matchExpressions.push_back({key, Requirement::Operator::In, {value}});
  return kinds::NodeSelector{{term}};
}

bool allows(const kinds::MigrationSpec& asked, const kinds::Node& node) {
  const auto terms = termsOf(asked);
  return !terms || kinds::matches(*terms, node.metadata.name, node.metadata.labels);
}

bool suits(const kinds::MigrationSpec& asked, const kinds::VirtualMachineInstance& instance, const kinds::Node& node) {
  if (!collisions(instance.spec.nodeSelector, asked.addedNodeSelector).empty()) return false;
  if (node.metadata.name == instance.status.nodeName) return mayStay(asked);
  return !mustStay(asked) && admits(instance.spec, node);
}

Prospect prospectOf(const kinds::MigrationSpec& asked, const kinds::VirtualMachineInstance& instance,
                    const Nodes& nodes) {
  const object::Labels& own = instance.spec.nodeSelector;
  if (const auto keys = collisions(own, asked.addedNodeSelector); !keys.empty())
    return {Obstacle::SelectorsCollide, explainCollisions(keys, own, asked.addedNodeSelector)};

  const std::string& source = instance.status.nodeName;
  Nodes others;
  bool sourceAllowed = false;
  for (const auto& node : nodes) {
    if (!allows(asked, *node)) continue;
    if (suits(asked, instance, *node)) return {};
    if (node->metadata.name == source)
      sourceAllowed = true;
    else
      others.push_back(node);
  }
  if (mustStay(asked))
    return {Obstacle::NoNodeMatches,
            fmt::format("the volumes are to move in place, but the migration leaves out node {}, where the guest is",
                        source)};
  // Without a word of the migration's own there may be a node, or another one, later.
  if (others.empty() && !asked.restricted()) return {};
  if (others.empty() && !sourceAllowed) return {Obstacle::NoNodeMatches, explainNoMatch(asked, nodes)};
  if (others.empty())
    return {Obstacle::AlreadyThere,
            fmt::format("the guest is on node {} already, and the migration allows no other", source)};
  return {Obstacle::ExcludedByMachine,
          fmt::format("the VM's own nodeSelector and node affinity leave out {}; change them in the VM, then make a "
                      "new migration",
                      namesOf(others))};
}

}  // namespace godwit::controllers::migration
