#include "scheduler/scores.hpp"

#include <algorithm>

namespace godwit::scheduler {
namespace {

constexpr std::int64_t kHighest = 100;

using Marks = std::span<std::int64_t>;

std::int64_t intolerableTaints(const Demand& demand, const NodeView& node) {
  const auto& tolerations = demand.spec.tolerations;
  const auto& taints = node.taints.all();
  return std::count_if(taints.begin(), taints.end(), [&](const kinds::Taint& taint) {
    return taint.effect == "PreferNoSchedule" &&
           std::none_of(tolerations.begin(), tolerations.end(),
                        [&](const kinds::Toleration& toleration) { return kinds::tolerates(toleration, taint); });
  });
}

std::int64_t preferenceForNode(const Demand& demand, const NodeView& node) {
  const auto& affinity = demand.spec.affinity;
  std::int64_t sum = 0;
  for (const kinds::PreferredNodes& preferred : affinity->nodeAffinity->preferred)
    if (kinds::matches(preferred.preference, node.name, node.labels)) sum += preferred.weight;
  return sum;
}

std::int64_t siblingsThere(const Demand& demand, const NodeView& node) {
  const Siblings& siblings = *demand.neighbourhood.siblings;
  const auto found = siblings.find(&node);
  return found == siblings.end() ? 0 : found->second;
}

std::int64_t preferenceForCompany(const Demand& demand, const NodeView& node) {
  std::int64_t sum = 0;
  for (const auto& [tally, weight] : demand.neighbourhood.leanings) sum += weight * tally->at(node);
  return sum;
}

std::int64_t freeShare(std::int64_t allocatable, std::int64_t used) {
  return used >= allocatable ? 0 : (allocatable - used) * kHighest / allocatable;
}

// The mean over what the node says it has.
std::int64_t roomLeft(const Demand& demand, const NodeView& node) {
  Resources used = node.used;
  used += demand.requests;
  std::int64_t sum = 0, kinds = 0;
  for (const auto amount : {&Resources::memoryBytes, &Resources::milliCpu})
    if (node.allocatable.*amount > 0) {
      sum += freeShare(node.allocatable.*amount, used.*amount);
      ++kinds;
    }
  return kinds == 0 ? 0 : sum / kinds;
}

void asTheyAre(Marks) {}

// The largest becomes 100.
void inProportion(Marks marks) {
  const std::int64_t largest = *std::max_element(marks.begin(), marks.end());
  if (largest == 0) return;
  for (std::int64_t& mark : marks) mark = mark * kHighest / largest;
}

// None becomes 100, the largest 0.
void fewerIsBetter(Marks marks) {
  inProportion(marks);
  for (std::int64_t& mark : marks) mark = kHighest - mark;
}

// The smallest becomes 100; what twice as many mean depends on how many there are.
void evenIsBetter(Marks marks) {
  const auto [smallest, largest] = std::minmax_element(marks.begin(), marks.end());
  const std::int64_t least = *smallest, most = *largest;
  for (std::int64_t& mark : marks) mark = most == 0 ? kHighest : kHighest * (most + least - mark) / most;
}

// The smallest becomes 0, the largest 100.
void stretched(Marks marks) {
  const auto [smallest, largest] = std::minmax_element(marks.begin(), marks.end());
  const std::int64_t least = *smallest, width = *largest - *smallest;
  for (std::int64_t& mark : marks) mark = width == 0 ? 0 : (mark - least) * kHighest / width;
}

bool regardless(const Demand&) { return true; }
bool prefersNodes(const Demand& demand) {
  const auto& affinity = demand.spec.affinity;
  return affinity && affinity->nodeAffinity && !affinity->nodeAffinity->preferred.empty();
}
bool hasSiblings(const Demand& demand) { return demand.neighbourhood.siblings != nullptr; }
bool isDrawn(const Demand& demand) { return !demand.neighbourhood.leanings.empty(); }

struct Score {
  std::int64_t weight;
  bool (*arises)(const Demand&);  // if not, all nodes are marked alike
  std::int64_t (*mark)(const Demand&, const NodeView&);
  void (*normalize)(Marks);
};

// With kube-scheduler's weights and its ways to bring marks to 0..100.
constexpr Score kScores[] = {
    {3, regardless, intolerableTaints, fewerIsBetter},   // TaintToleration
    {2, prefersNodes, preferenceForNode, inProportion},  // NodeAffinity
    {2, hasSiblings, siblingsThere, evenIsBetter},       // PodTopologySpread
    {2, isDrawn, preferenceForCompany, stretched},       // InterPodAffinity
    {1, regardless, roomLeft, asTheyAre},                // NodeResourcesFit
};

}  // namespace

const NodeView& bestOf(std::span<const NodeView* const> nodes, const Demand& demand) {
  std::vector<std::int64_t> sums(nodes.size()), marks(nodes.size());
  for (const auto& [weight, arises, mark, normalize] : kScores) {
    if (!arises(demand)) continue;
    for (std::size_t i = 0; i < nodes.size(); ++i) marks[i] = mark(demand, *nodes[i]);
    normalize(marks);
    for (std::size_t i = 0; i < nodes.size(); ++i) sums[i] += weight * marks[i];
  }
  const auto best = std::max_element(sums.begin(), sums.end());
  return *nodes[static_cast<std::size_t>(best - sums.begin())];
}

}  // namespace godwit::scheduler
