#include "scheduler/choose.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace godwit::scheduler {
namespace {

using State = ClaimView::State;

// Higher is better, 0 to 1.
using Score = double (*)(const Demand&, const NodeView&);

double prefersFreeMemory(const Demand& demand, const NodeView& node) {
  const std::int64_t free = node.allocatable.memoryBytes - node.used.memoryBytes - demand.requests.memoryBytes;
  if (free <= 0) return 0;
  return static_cast<double>(free) / static_cast<double>(node.allocatable.memoryBytes);
}

constexpr Score kScores[] = {prefersFreeMemory};

double scoreOf(const Demand& demand, const NodeView& node) {
  double sum = 0;
  for (const Score score : kScores) sum += score(demand, node);
  return sum;
}

// Counted by sentence, and sorted as text - numbers included - as kube-scheduler does.
std::string summarize(const std::vector<Refusal>& refusals) {
  if (refusals.empty()) return "no nodes available to schedule pods";
  std::map<std::string, int> counts;
  for (const Refusal& refusal : refusals) ++counts[refusal.sentence];
  std::vector<std::string> reasons;
  reasons.reserve(counts.size());
  for (const auto& [sentence, count] : counts) reasons.push_back(fmt::format("{} {}", count, sentence));
  std::sort(reasons.begin(), reasons.end());
  return fmt::format("0/{} nodes are available: {}.", refusals.size(), fmt::join(reasons, ", "));
}

Verdict refusedEverywhere(const Refusal& refusal, std::span<const NodeView> nodes) {
  Verdict verdict;
  for (const NodeView& node : nodes) verdict.refusals.push_back({node.name, refusal.word, refusal.sentence});
  verdict.summary = fmt::format("0/{} nodes are available: {}.", nodes.size(), refusal.sentence);
  return verdict;
}

}  // namespace

Verdict choose(const Demand& demand, std::span<const NodeView> nodes) {
  if (const auto refusal = refuseEverywhere(demand)) return refusedEverywhere(*refusal, nodes);
  Verdict verdict;
  std::vector<std::pair<double, std::string_view>> candidates;  // the least is the best
  for (const NodeView& node : nodes) {
    if (auto refusal = refuse(demand, node))
      verdict.refusals.push_back(std::move(*refusal));
    else
      candidates.emplace_back(-scoreOf(demand, node), node.name);
  }
  if (candidates.empty()) {
    verdict.summary = summarize(verdict.refusals);
    return verdict;
  }
  verdict.node = std::min_element(candidates.begin(), candidates.end())->second;
  for (const auto& [score, name] : candidates)
    if (name != verdict.node) verdict.refusals.push_back({std::string(name), "Outscored", "node(s) had less room"});
  return verdict;
}

bool needsNode(const ClaimView& claim) { return claim.state == State::Waiting && claim.selectedNode.empty(); }

Duty dutyOf(const Demand& demand, const Verdict& verdict) {
  if (verdict.node.empty()) return Duty::Refuse;
  const auto& claims = demand.claims;
  if (std::any_of(claims.begin(), claims.end(), needsNode)) return Duty::SelectNode;
  const auto bound = [](const ClaimView& claim) { return claim.state == State::Bound; };
  return std::all_of(claims.begin(), claims.end(), bound) ? Duty::Bind : Duty::AwaitVolumes;
}

}  // namespace godwit::scheduler
