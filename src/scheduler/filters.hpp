#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/snapshot.hpp"

namespace godwit::scheduler {

// Why a pod does not go to a node: one word for machines, and what kube-scheduler says about it.
struct Refusal {
  std::string node;
  std::string_view word;
  std::string sentence;

  bool operator==(const Refusal&) const = default;
};

// Asks many nodes whether the pod may go there, and none of them what the demand leaves open. The demand is borrowed.
class Inquiry {
 public:
  explicit Inquiry(const Demand& demand);

  bool admits(const NodeView& node);

 private:
  using Condition = bool (*)(const Demand&, const NodeView&);

  bool toleratesTaintsOf(const NodeView& node);

  const Demand& demand_;
  std::vector<Condition> conditions_;
  std::optional<Taints> judged_;  // last...
  bool tolerated_ = false;        // ...and how
};

// Why the pod may not go there, or nothing if it may. Asks everything.
std::optional<Refusal> refuse(const Demand& demand, const NodeView& node);

// Everything that speaks against the node, for people who want to mend it; nothing if the pod may go there.
std::vector<Refusal> refuseFully(const Demand& demand, const NodeView& node);

// Why the pod may go nowhere at present, or nothing. Names no node.
std::optional<Refusal> refuseEverywhere(const Demand& demand);

}  // namespace godwit::scheduler
