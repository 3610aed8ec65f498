#pragma once

#include <span>
#include <string>
#include <vector>

#include "scheduler/filters.hpp"
#include "scheduler/snapshot.hpp"

namespace godwit::scheduler {

struct Verdict {
  std::string node;               // the best; empty when every one is refused
  std::vector<Refusal> refusals;  // one for every node when every one is refused
  std::string summary;            // of the refusals, as kube-scheduler words it; empty when a node is found

  bool operator==(const Verdict&) const = default;
};

using Nodes = std::span<const NodeView* const>;

// So many nodes that would do are compared, and the rest is not looked at: kube-scheduler's minFeasibleNodesToFind.
inline constexpr std::size_t kEnoughNodes = 100;

// Where to look for a node.
struct Field {
  Nodes all;
  Nodes promising;        // all that may admit the pod are among them
  std::size_t start = 0;  // of the search when more than enough are promising, so that each node has its turn
};

// The best node of those looked at, the first of equals; or, when there is none at all, why.
Verdict choose(const Demand& demand, const Field& field);

// What is to be done about the pod, once a verdict has been reached.
enum class Duty {
  Refuse,
  SelectNode,    // tell the claims that wait for a consumer where it goes
  AwaitVolumes,  // the claims have all been told, and are not bound yet
  Bind,
};

Duty dutyOf(std::span<const ClaimView> claims, const Verdict& verdict);

// Whether the claim is to be told where its first consumer goes.
bool needsNode(const ClaimView& claim);

}  // namespace godwit::scheduler
