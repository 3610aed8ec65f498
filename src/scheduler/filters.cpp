#include "scheduler/filters.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace godwit::scheduler {
namespace {

using State = ClaimView::State;

bool toleratesTaint(const Demand& demand, const kinds::Taint& taint) {
  return std::any_of(demand.spec.tolerations.begin(), demand.spec.tolerations.end(),
                     [&](const kinds::Toleration& toleration) { return kinds::tolerates(toleration, taint); });
}

const kinds::Taint* findUntolerated(const Demand& demand, const NodeView& node) {
  const auto& taints = node.taints.all();
  const auto found = std::find_if(taints.begin(), taints.end(), [&](const kinds::Taint& taint) {
    return taint.effect != "PreferNoSchedule" && !toleratesTaint(demand, taint);
  });
  return found == taints.end() ? nullptr : &*found;
}

bool reaches(const NodeView& node, const std::optional<kinds::NodeSelector>& reachableFrom) {
  return !reachableFrom || kinds::matches(*reachableFrom, node.name, node.labels);
}

bool isOutside(const NodeView& node, const std::vector<const Tally*>& tallies) {
  return std::none_of(tallies.begin(), tallies.end(), [&](const Tally* tally) { return tally->at(node) > 0; });
}

bool canBindOn(const NodeView& node, const ClaimView& claim) {
  if (claim.state != State::Waiting) return true;
  if (!claim.selectedNode.empty() && claim.selectedNode != node.name) return false;
  return claim.canBeMade || std::any_of(claim.freeVolumes.begin(), claim.freeVolumes.end(),
                                        [&](const auto& reachableFrom) { return reaches(node, reachableFrom); });
}

bool takesNewPods(const Demand& demand, const NodeView& node) {
  static const kinds::Taint kCordon = {"node.kubernetes.io/unschedulable", "", "NoSchedule"};
  return !node.unschedulable || toleratesTaint(demand, kCordon);
}

bool isReady(const Demand&, const NodeView& node) { return node.ready; }

bool hasOnlyToleratedTaints(const Demand& demand, const NodeView& node) { return !findUntolerated(demand, node); }

bool matchesNodeAffinity(const Demand& demand, const NodeView& node) {
  const kinds::PodSpec& pod = demand.spec;
  return kinds::mayGoTo(pod.nodeSelector, pod.affinity, node.name, node.labels);
}

bool hasPlace(const Demand& demand, const NodeView& node) {
  return demand.requests.pods <= node.allocatable.pods - node.used.pods;
}

bool hasMemory(const Demand& demand, const NodeView& node) {
  const std::int64_t wanted = demand.requests.memoryBytes;
  return wanted == 0 || wanted <= node.allocatable.memoryBytes - node.used.memoryBytes;
}

bool hasCpu(const Demand& demand, const NodeView& node) {
  const std::int64_t wanted = demand.requests.milliCpu;
  return wanted == 0 || wanted <= node.allocatable.milliCpu - node.used.milliCpu;
}

bool reachesVolumes(const Demand& demand, const NodeView& node) {
  return std::all_of(demand.claims.begin(), demand.claims.end(),
                     [&](const ClaimView& claim) { return reaches(node, claim.reachableFrom); });
}

bool canBindClaims(const Demand& demand, const NodeView& node) {
  return std::all_of(demand.claims.begin(), demand.claims.end(),
                     [&](const ClaimView& claim) { return canBindOn(node, claim); });
}

bool hasCompany(const Demand& demand, const NodeView& node) {
  const Neighbourhood& around = demand.neighbourhood;
  const auto holds = [&](const Tally* tally) {
    return around.firstOfItsKind ? valueOf(node, tally->label) != nullptr : tally->at(node) > 0;
  };
  return std::all_of(around.sought.begin(), around.sought.end(), holds);
}

bool keepsItsDistance(const Demand& demand, const NodeView& node) {
  return isOutside(node, demand.neighbourhood.avoided);
}

bool isWelcome(const Demand& demand, const NodeView& node) { return isOutside(node, demand.neighbourhood.defended); }

std::string nameTaint(const Demand& demand, const NodeView& node) {
  const kinds::Taint* taint = findUntolerated(demand, node);
  return fmt::format(" {{{}: {}}}", taint->key, taint->value);
}

bool always(const Demand&) { return true; }
// Inquiry asks it itself, once for all nodes that share their taints.
bool askedApart(const Demand&) { return false; }

bool choosesNodes(const Demand& demand) {
  const auto& affinity = demand.spec.affinity;
  return !demand.spec.nodeSelector.empty() || (affinity && affinity->nodeAffinity && affinity->nodeAffinity->required);
}

bool mountsClaims(const Demand& demand) { return !demand.claims.empty(); }
bool needsCompany(const Demand& demand) { return !demand.neighbourhood.sought.empty(); }
bool avoidsSomebody(const Demand& demand) { return !demand.neighbourhood.avoided.empty(); }
bool isAvoided(const Demand& demand) { return !demand.neighbourhood.defended.empty(); }

struct Question {
  bool (*holds)(const Demand&, const NodeView&);
  bool (*arises)(const Demand&);  // for an inquiry; if not, it holds on every node
  std::string_view word;
  std::string_view sentence;
  std::string (*detail)(const Demand&, const NodeView&) = nullptr;
};

// In kube-scheduler's order, with its sentences; the first that does not hold is the one reported.
constexpr Question kQuestions[] = {
    {takesNewPods, always, "Cordoned", "node(s) were unschedulable"},
    {isReady, always, "NotReady", "node(s) were not ready"},
    {hasOnlyToleratedTaints, askedApart, "UntoleratedTaint", "node(s) had untolerated taint", nameTaint},
    {matchesNodeAffinity, choosesNodes, "NodeAffinity", "node(s) didn't match Pod's node affinity/selector"},
    {hasPlace, always, "TooManyPods", "Too many pods"},
    {hasMemory, always, "InsufficientMemory", "Insufficient memory"},
    {hasCpu, always, "InsufficientCpu", "Insufficient cpu"},
    {reachesVolumes, mountsClaims, "VolumeNodeAffinity", "node(s) had volume node affinity conflict"},
    {canBindClaims, mountsClaims, "VolumeBinding", "node(s) didn't find available persistent volumes to bind"},
    {hasCompany, needsCompany, "PodAffinity", "node(s) didn't match pod affinity rules"},
    {keepsItsDistance, avoidsSomebody, "PodAntiAffinity", "node(s) didn't match pod anti-affinity rules"},
    {isWelcome, isAvoided, "ExistingPodsAntiAffinity", "node(s) didn't satisfy existing pods anti-affinity rules"},
};

std::optional<Refusal> ask(const Question& question, const Demand& demand, const NodeView& node) {
  if (question.holds(demand, node)) return std::nullopt;
  return Refusal{node.name, question.word,
                 std::string(question.sentence) + (question.detail ? question.detail(demand, node) : "")};
}

}  // namespace

Inquiry::Inquiry(const Demand& demand) : demand_(demand) {
  for (const Question& question : kQuestions)
    if (question.arises(demand)) conditions_.push_back(question.holds);
}

bool Inquiry::toleratesTaintsOf(const NodeView& node) {
  if (!judged_ || !judged_->areSharedWith(node.taints)) {
    tolerated_ = hasOnlyToleratedTaints(demand_, node);
    judged_ = node.taints;
  }
  return tolerated_;
}

bool Inquiry::admits(const NodeView& node) {
  return toleratesTaintsOf(node) &&
         std::all_of(conditions_.begin(), conditions_.end(), [&](Condition holds) { return holds(demand_, node); });
}

std::optional<Refusal> refuse(const Demand& demand, const NodeView& node) {
  for (const Question& question : kQuestions)
    if (auto refusal = ask(question, demand, node)) return refusal;
  return std::nullopt;
}

std::vector<Refusal> refuseFully(const Demand& demand, const NodeView& node) {
  std::vector<Refusal> refusals;
  if (const auto everywhere = refuseEverywhere(demand))
    refusals.push_back({node.name, everywhere->word, everywhere->sentence});
  for (const Question& question : kQuestions)
    if (auto refusal = ask(question, demand, node)) refusals.push_back(std::move(*refusal));
  return refusals;
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
