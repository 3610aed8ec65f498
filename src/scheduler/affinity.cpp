#include "scheduler/affinity.hpp"

#include <algorithm>

namespace godwit::scheduler {
namespace {

using Term = kinds::PodAffinityTerm;

std::span<const Term> attractions(const kinds::Pod& pod) {
  const auto& affinity = pod.spec.affinity;
  if (!affinity || !affinity->podAffinity) return {};
  return affinity->podAffinity->required;
}

std::span<const Term> repulsions(const kinds::Pod& pod) {
  const auto& affinity = pod.spec.affinity;
  if (!affinity || !affinity->podAntiAffinity) return {};
  return affinity->podAntiAffinity->required;
}

bool speaksOf(const Term& term, const kinds::Pod& owner, const kinds::Pod& other) {
  return owner.metadata.nameSpace == other.metadata.nameSpace &&
         kinds::matches(term.labelSelector, other.metadata.labels);
}

bool allSpeakOf(std::span<const Term> terms, const kinds::Pod& owner, const kinds::Pod& other) {
  return std::all_of(terms.begin(), terms.end(), [&](const Term& term) { return speaksOf(term, owner, other); });
}

// A node without the label is in no place that the term knows.
void addPlace(Places& places, const Term& term, const NodeView& node) {
  const auto label = node.labels.find(term.topologyKey);
  if (label != node.labels.end()) places[term.topologyKey].insert(label->second);
}

void meet(const kinds::Pod& pod, const kinds::Pod& other, const NodeView& node, Neighbourhood& found) {
  for (const Term& term : repulsions(pod))
    if (speaksOf(term, pod, other)) addPlace(found.avoided, term, node);
  for (const Term& term : repulsions(other))
    if (speaksOf(term, other, pod)) addPlace(found.defended, term, node);
  if (!allSpeakOf(attractions(pod), pod, other)) return;
  for (const Term& term : attractions(pod)) addPlace(found.sought, term, node);
}

}  // namespace

Neighbourhood neighbourhoodOf(const kinds::Pod& pod, std::span<const NodeView> nodes) {
  Neighbourhood found;
  for (const Term& term : attractions(pod)) found.sought[term.topologyKey];
  for (const NodeView& node : nodes)
    for (const auto& other : node.pods) meet(pod, *other, node, found);
  const bool alone =
      std::all_of(found.sought.begin(), found.sought.end(), [](const auto& sought) { return sought.second.empty(); });
  found.firstOfItsKind = seeksCompany(pod) && alone && allSpeakOf(attractions(pod), pod, pod);
  return found;
}

bool seeksCompany(const kinds::Pod& pod) { return !attractions(pod).empty(); }

}  // namespace godwit::scheduler
