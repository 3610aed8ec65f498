#include "scheduler/filters.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace godwit::scheduler {
namespace {

// Why the pod may not go there, in a word, or nothing if it may.
using Filter = std::optional<std::string_view> (*)(const Demand&, const NodeView&);
using Answer = std::optional<std::string_view>;
using State = ClaimView::State;

Answer unless(bool holds, std::string_view word) { return holds ? std::nullopt : Answer(word); }

bool toleratesTaint(const Demand& demand, const kinds::Taint& taint) {
  return std::any_of(demand.spec.tolerations.begin(), demand.spec.tolerations.end(),
                     [&](const kinds::Toleration& toleration) { return kinds::tolerates(toleration, taint); });
}

const kinds::Taint* findUntolerated(const Demand& demand, const NodeView& node) {
  const auto found = std::find_if(node.taints.begin(), node.taints.end(), [&](const kinds::Taint& taint) {
    return taint.effect != "PreferNoSchedule" && !toleratesTaint(demand, taint);
  });
  return found == node.taints.end() ? nullptr : &*found;
}

bool reaches(const NodeView& node, const std::optional<kinds::NodeSelector>& reachableFrom) {
  return !reachableFrom || kinds::matches(*reachableFrom, node.name, node.labels);
}

bool isWithin(const NodeView& node, const Region& region) {
  if (region.counts->empty()) return false;
  const auto label = node.labels.find(region.label);
  return label != node.labels.end() && region.counts->contains(label->second);
}

bool isOutside(const NodeView& node, const std::vector<Region>& regions) {
  return std::none_of(regions.begin(), regions.end(), [&](const Region& region) { return isWithin(node, region); });
}

bool canBindOn(const NodeView& node, const ClaimView& claim) {
  if (claim.state != State::Waiting) return true;
  if (!claim.selectedNode.empty() && claim.selectedNode != node.name) return false;
  return claim.canBeMade || std::any_of(claim.freeVolumes.begin(), claim.freeVolumes.end(),
                                        [&](const auto& reachableFrom) { return reaches(node, reachableFrom); });
}

Answer takesNewPods(const Demand& demand, const NodeView& node) {
  static const kinds::Taint kCordon = {"node.kubernetes.io/unschedulable", "", "NoSchedule"};
  return unless(!node.unschedulable || toleratesTaint(demand, kCordon), "Cordoned");
}

Answer isReady(const Demand&, const NodeView& node) { return unless(node.ready, "NotReady"); }

Answer hasOnlyToleratedTaints(const Demand& demand, const NodeView& node) {
  return unless(!findUntolerated(demand, node), "UntoleratedTaint");
}

bool isSelected(const NodeView& node, const object::Labels& selector) {
  return std::all_of(selector.begin(), selector.end(), [&](const auto& wanted) {
    const auto label = node.labels.find(wanted.first);
    return label != node.labels.end() && label->second == wanted.second;
  });
}

Answer matchesNodeAffinity(const Demand& demand, const NodeView& node) {
  const auto& affinity = demand.spec.affinity;
  const bool matches = isSelected(node, demand.spec.nodeSelector) &&
                       (!affinity || !affinity->nodeAffinity || reaches(node, affinity->nodeAffinity->required));
  return unless(matches, "NodeAffinity");
}

Answer hasPlace(const Demand& demand, const NodeView& node) {
  return unless(demand.requests.pods <= node.allocatable.pods - node.used.pods, "TooManyPods");
}

Answer hasMemory(const Demand& demand, const NodeView& node) {
  const std::int64_t wanted = demand.requests.memoryBytes;
  return unless(wanted == 0 || wanted <= node.allocatable.memoryBytes - node.used.memoryBytes, "InsufficientMemory");
}

Answer hasCpu(const Demand& demand, const NodeView& node) {
  const std::int64_t wanted = demand.requests.milliCpu;
  return unless(wanted == 0 || wanted <= node.allocatable.milliCpu - node.used.milliCpu, "InsufficientCpu");
}

Answer reachesVolumes(const Demand& demand, const NodeView& node) {
  const bool all = std::all_of(demand.claims.begin(), demand.claims.end(),
                               [&](const ClaimView& claim) { return reaches(node, claim.reachableFrom); });
  return unless(all, "VolumeNodeAffinity");
}

Answer canBindClaims(const Demand& demand, const NodeView& node) {
  const bool all = std::all_of(demand.claims.begin(), demand.claims.end(),
                               [&](const ClaimView& claim) { return canBindOn(node, claim); });
  return unless(all, "VolumeBinding");
}

Answer hasCompany(const Demand& demand, const NodeView& node) {
  const Neighbourhood& around = demand.neighbourhood;
  const auto holds = [&](const Region& region) {
    return around.firstOfItsKind ? node.labels.contains(region.label) : isWithin(node, region);
  };
  return unless(std::all_of(around.sought.begin(), around.sought.end(), holds), "PodAffinity");
}

Answer keepsItsDistance(const Demand& demand, const NodeView& node) {
  return unless(isOutside(node, demand.neighbourhood.avoided), "PodAntiAffinity");
}

Answer isWelcome(const Demand& demand, const NodeView& node) {
  return unless(isOutside(node, demand.neighbourhood.defended), "ExistingPodsAntiAffinity");
}

std::string nameTaint(const Demand& demand, const NodeView& node) {
  const kinds::Taint* taint = findUntolerated(demand, node);
  return fmt::format(" {{{}: {}}}", taint->key, taint->value);
}

struct Question {
  Filter filter;
  std::string_view sentence;
  std::string (*detail)(const Demand&, const NodeView&) = nullptr;
};

// In kube-scheduler's order, with its sentences; the first that refuses is the one reported.
constexpr Question kQuestions[] = {
    {takesNewPods, "node(s) were unschedulable"},
    {isReady, "node(s) were not ready"},
    {hasOnlyToleratedTaints, "node(s) had untolerated taint", nameTaint},
    {matchesNodeAffinity, "node(s) didn't match Pod's node affinity/selector"},
    {hasPlace, "Too many pods"},
    {hasMemory, "Insufficient memory"},
    {hasCpu, "Insufficient cpu"},
    {reachesVolumes, "node(s) had volume node affinity conflict"},
    {canBindClaims, "node(s) didn't find available persistent volumes to bind"},
    {hasCompany, "node(s) didn't match pod affinity rules"},
    {keepsItsDistance, "node(s) didn't match pod anti-affinity rules"},
    {isWelcome, "node(s) didn't satisfy existing pods anti-affinity rules"},
};

}  // namespace

bool admits(const NodeView& node, const Demand& demand) {
  return std::none_of(std::begin(kQuestions), std::end(kQuestions),
                      [&](const Question& question) { return question.filter(demand, node).has_value(); });
}

std::optional<Refusal> refuse(const Demand& demand, const NodeView& node) {
  for (const auto& [filter, sentence, detail] : kQuestions)
    if (const Answer word = filter(demand, node))
      return Refusal{node.name, *word, std::string(sentence) + (detail ? detail(demand, node) : "")};
  return std::nullopt;
}

std::optional<Refusal> refuseEverywhere(const Demand& demand) {
  for (const ClaimView& claim : demand.claims) switch (claim.state) {
      case State::Missing:
        return Refusal{"", "ClaimMissing", fmt::format("persistentvolumeclaim \"{}\" not found", claim.name)};
      case State::BeingDeleted:
        return Refusal{"", "ClaimBeingDeleted",
                       fmt::format("persistentvolumeclaim \"{}\" is being deleted", claim.name)};
      case State::VolumeMissing:
        return Refusal{"", "VolumeMissing",
                       fmt::format("persistentvolumeclaim \"{}\" bound to non-existent persistentvolume \"{}\"",
                                   claim.name, claim.volume)};
      case State::Unbound:
        return Refusal{"", "ClaimUnbound",
                       fmt::format("pod has unbound immediate PersistentVolumeClaims: \"{}\"", claim.name)};
      case State::Waiting:
      case State::Binding:
      case State::Bound:
        break;
    }
  return std::nullopt;
}

}  // namespace godwit::scheduler
