#pragma once

#include <string>
#include <utility>

#include "base/clock.hpp"
#include "kinds/core.hpp"
#include "kinds/node.hpp"
#include "kinds/pod.hpp"
#include "kinds/words.hpp"

// What benchmarks say in the place of nodes that are not there.
namespace godwit::bench {

inline kinds::Condition holding(std::string type, std::string reason = "") {
  return {
      .type = std::move(type), .status = "True", .reason = std::move(reason), .message = "", .lastTransitionTime = {}};
}

inline kinds::Node readyNode(const std::string& name) {
  kinds::Node node;
  node.metadata.name = name;
  node.metadata.labels = {{std::string(kinds::words::kHostname), name}};
  node.status.allocatable = {{"memory", "1Ti"}, {"cpu", "256"}, {"pods", "500"}};
  node.status.conditions = {holding("Ready")};
  return node;
}

inline kinds::Lease leaseOf(const std::string& node, Timestamp now) {
  kinds::Lease lease;
  lease.metadata.name = node;
  lease.metadata.nameSpace = kinds::words::kLeaseNamespace;
  lease.spec.renewTime = now;
  return lease;
}

// A pod whose node says that all is done: a guest runs, or a target is prepared, or a move has succeeded.
inline kinds::Pod answered(kinds::Pod pod, Timestamp now) {
  namespace words = kinds::words;
  const bool moves = object::valueOf(pod.metadata.labels, words::kApp) == words::kAppMigration;
  pod.status.phase = moves ? kinds::pod_phase::kSucceeded : kinds::pod_phase::kRunning;
  pod.status.reason = moves ? "Completed" : "GuestStarted";
  if (!moves) kinds::setCondition(pod.status.conditions, holding("Ready", "GuestStarted"), now);
  return pod;
}

}  // namespace godwit::bench
