#include "controllers/node_search.hpp"

#include "kinds/words.hpp"

namespace godwit::controllers {
namespace {

using Nodes = std::vector<std::shared_ptr<const kinds::Node>>;
using object::Requirement;

void addNamed(const World& world, const Requirement& names, Nodes& into) {
  for (const std::string& name : names.values)
    if (auto node = world.nodes.get({"", name})) into.push_back(std::move(node));
}

void addHosts(const World& world, const Requirement& hosts, Nodes& into) {
  for (const std::string& host : hosts.values)
    for (auto& node : world.nodes.by(index::kByHost, host)) into.push_back(std::move(node));
}

// All that the term can match; false when it names none, and can match any.
bool addCandidates(const World& world, const kinds::NodeSelectorTerm& term, Nodes& into) {
  for (const Requirement& field : term.matchFields)
    if (field.op == Requirement::Operator::In && field.key == "metadata.name")
      return addNamed(world, field, into), true;
  for (const Requirement& label : term.matchExpressions)
    if (label.op == Requirement::Operator::In && label.key == kinds::words::kHostname)
      return addHosts(world, label, into), true;
  return false;
}

}  // namespace

std::shared_ptr<const kinds::Node> findNode(const World& world, const std::optional<kinds::NodeSelector>& terms,
                                            const std::function<bool(const kinds::Node&)>& wanted) {
  const auto fits = [&](const kinds::Node& node) {
    return (!terms || kinds::matches(*terms, node.metadata.name, node.metadata.labels)) && wanted(node);
  };
  Nodes candidates;
  bool allNamed = terms.has_value();
  if (terms)
    for (const kinds::NodeSelectorTerm& term : terms->nodeSelectorTerms)
      allNamed = allNamed && addCandidates(world, term, candidates);
  if (!allNamed) return world.nodes.findIf(fits);
  for (const auto& node : candidates)
    if (fits(*node)) return node;
  return nullptr;
}

}  // namespace godwit::controllers
