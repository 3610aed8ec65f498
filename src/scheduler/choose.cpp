#include "scheduler/choose.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scheduler/scores.hpp"

namespace godwit::scheduler {
namespace {

using State = ClaimView::State;

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

Verdict refusedEverywhere(const Refusal& refusal, Nodes nodes) {
  Verdict verdict;
  for (const NodeView* node : nodes) verdict.refusals.push_back({node->name, refusal.word, refusal.sentence});
  verdict.summary = fmt::format("0/{} nodes are available: {}.", nodes.size(), refusal.sentence);
  return verdict;
}

Verdict explain(const Demand& demand, Nodes nodes) {
  Verdict verdict;
  for (const NodeView* node : nodes)
    if (auto refusal = refuse(demand, *node)) verdict.refusals.push_back(std::move(*refusal));
  verdict.summary = summarize(verdict.refusals);
  return verdict;
}

std::vector<const NodeView*> findEnough(const Demand& demand, Nodes promising, std::size_t start) {
  Inquiry inquiry(demand);
  std::vector<const NodeView*> found;
  found.reserve(std::min(promising.size(), kEnoughNodes));
  const std::size_t first = promising.size() > kEnoughNodes ? start % promising.size() : 0;
  for (std::size_t i = 0; i < promising.size() && found.size() < kEnoughNodes; ++i) {
    const std::size_t at = first + i;
    const NodeView* node = promising[at < promising.size() ? at : at - promising.size()];
    if (inquiry.admits(*node)) found.push_back(node);
  }
  return found;
}

}  // namespace

Verdict choose(const Demand& demand, const Field& field) {
  if (const auto refusal = refuseEverywhere(demand)) return refusedEverywhere(*refusal, field.all);
  const std::vector<const NodeView*> fitting = findEnough(demand, field.promising, field.start);
  if (fitting.empty()) return explain(demand, field.all);
  return {.node = bestOf(fitting, demand).name, .refusals = {}, .summary = ""};
}

bool needsNode(const ClaimView& claim) { return claim.state == State::Waiting && claim.selectedNode.empty(); }

Duty dutyOf(std::span<const ClaimView> claims, const Verdict& verdict) {
  if (verdict.node.empty()) return Duty::Refuse;
  if (std::any_of(claims.begin(), claims.end(), needsNode)) return Duty::SelectNode;
  const auto bound = [](const ClaimView& claim) { return claim.state == State::Bound; };
  return std::all_of(claims.begin(), claims.end(), bound) ? Duty::Bind : Duty::AwaitVolumes;
}

}  // namespace godwit::scheduler
