#include "scheduling/plain.hpp"

#include <algorithm>

namespace godwit::scheduler {
namespace {

using Terms = std::vector<kinds::PodAffinityTerm>;

Terms requiredOf(const std::optional<kinds::PodAffinity>& affinity) { return affinity ? affinity->required : Terms(); }
Terms company(const kinds::Pod& pod) {
  return pod.spec.affinity ? requiredOf(pod.spec.affinity->podAffinity) : Terms();
}
Terms distance(const kinds::Pod& pod) {
  return pod.spec.affinity ? requiredOf(pod.spec.affinity->podAntiAffinity) : Terms();
}

bool speaksOf(const kinds::PodAffinityTerm& term, const kinds::Pod& owner, const kinds::Pod& other) {
  const bool named = std::count(term.namespaces.begin(), term.namespaces.end(), other.metadata.nameSpace) > 0;
  const bool own = term.namespaces.empty() && owner.metadata.nameSpace == other.metadata.nameSpace;
  return (named || own) && kinds::matches(term.labelSelector, other.metadata.labels);
}

bool allSpeakOf(const Terms& terms, const kinds::Pod& owner, const kinds::Pod& other) {
  return std::all_of(terms.begin(), terms.end(), [&](const auto& term) { return speaksOf(term, owner, other); });
}

}  // namespace

void PlainScheduler::setNode(const kinds::Node& node) { nodes_[node.metadata.name] = viewOf(node); }
void PlainScheduler::removeNode(const std::string& name) { nodes_.erase(name); }

void PlainScheduler::setPod(const kinds::Pod& pod, const std::string& node) {
  pods_[pod.metadata.key()] = {pod, requestsOf(pod), node};
}

// `avoided` and `sought` have one tally for each term of the pod already.
void PlainScheduler::meet(const kinds::Pod& pod, const Placed& other, Surroundings& found) const {
  const auto node = nodes_.find(other.node);
  if (node == nodes_.end()) return;
  const auto mark = [&](const Tally* tally) {
    const auto label = node->second.labels.find(tally->label.text());
    if (label != node->second.labels.end()) ++const_cast<Tally*>(tally)->counts[label->second];
  };
  const Terms avoids = distance(pod), seeks = company(pod);
  for (std::size_t i = 0; i < avoids.size(); ++i)
    if (speaksOf(avoids[i], pod, other.pod)) mark(found.neighbourhood.avoided[i]);
  if (allSpeakOf(seeks, pod, other.pod))
    for (const Tally* tally : found.neighbourhood.sought) mark(tally);
  for (const auto& term : distance(other.pod)) {
    if (!speaksOf(term, other.pod, pod)) continue;
    found.tallies.push_back(std::make_unique<Tally>(Tally{term.topologyKey}));
    found.neighbourhood.defended.push_back(found.tallies.back().get());
    mark(found.neighbourhood.defended.back());
  }
}

PlainScheduler::Surroundings PlainScheduler::around(const kinds::Pod& pod) const {
  Surroundings found;
  const auto tallyOf = [&](const kinds::PodAffinityTerm& term) {
    found.tallies.push_back(std::make_unique<Tally>(Tally{term.topologyKey}));
    return found.tallies.back().get();
  };
  for (const auto& term : distance(pod)) found.neighbourhood.avoided.push_back(tallyOf(term));
  for (const auto& term : company(pod)) found.neighbourhood.sought.push_back(tallyOf(term));
  for (const auto& [key, other] : pods_)
    if (key != pod.metadata.key()) meet(pod, other, found);
  const auto& sought = found.neighbourhood.sought;
  const bool alone = std::all_of(sought.begin(), sought.end(), [](const Tally* one) { return one->empty(); });
  found.neighbourhood.firstOfItsKind = !sought.empty() && alone && allSpeakOf(company(pod), pod, pod);
  return found;
}

std::vector<std::string> PlainScheduler::admitting(const kinds::Pod& pod, std::span<const ClaimView> claims) const {
  const Surroundings surroundings = around(pod);
  const Demand demand{
      .spec = pod.spec, .requests = requestsOf(pod), .claims = claims, .neighbourhood = surroundings.neighbourhood};
  std::map<std::string, NodeView> nodes = nodes_;
  for (const auto& [key, placed] : pods_) {
    const auto node = nodes.find(placed.node);
    if (node != nodes.end() && key != pod.metadata.key()) node->second.used += placed.requests;
  }
  std::vector<std::string> names;
  if (refuseEverywhere(demand)) return names;
  for (const auto& [name, node] : nodes)
    if (!refuse(demand, node)) names.push_back(name);
  return names;
}

}  // namespace godwit::scheduler
