#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/filters.hpp"
#include "scheduler/snapshot.hpp"

namespace godwit::scheduler {

struct Verdict {
  std::string node;               // the best; empty when every one is refused
  std::vector<Refusal> refusals;  // one for every other node
  std::string summary;            // of the refusals, as kube-scheduler words it; empty when a node is found

  bool operator==(const Verdict&) const = default;
};

// The best node, and for every other one the reason it was not taken. Equals are told apart by name.
Verdict choose(const Demand& demand, std::span<const NodeView> nodes);

// What is to be done about the pod, once a verdict has been reached.
enum class Duty {
  Refuse,
  SelectNode,    // tell the claims that wait for a consumer where it goes
  AwaitVolumes,  // the claims have all been told, and are not bound yet
  Bind,
};

Duty dutyOf(const Demand& demand, const Verdict& verdict);

// Whether the claim is to be told where its first consumer goes.
bool needsNode(const ClaimView& claim);

}  // namespace godwit::scheduler
