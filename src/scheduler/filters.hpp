#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scheduler/snapshot.hpp"

namespace godwit::scheduler {

// Why a pod does not go to a node: one word for machines, and what kube-scheduler says about it.
struct Refusal {
  std::string node;
  std::string_view word;
  std::string sentence;

  bool operator==(const Refusal&) const = default;
};

// Whether the pod may go there.
bool admits(const NodeView& node, const Demand& demand);

// Why the pod may not go there, or nothing if it may.
std::optional<Refusal> refuse(const Demand& demand, const NodeView& node);

// Why the pod may go nowhere at present, or nothing. Names no node.
std::optional<Refusal> refuseEverywhere(const Demand& demand);

}  // namespace godwit::scheduler
