#include "scheduler/snapshot.hpp"

#include "base/quantity.hpp"
#include "scheduler/affinity.hpp"

namespace godwit::scheduler {
namespace {

using Quantities = std::map<std::string, std::string>;

const std::string* find(const Quantities& quantities, const std::string& name) {
  const auto found = quantities.find(name);
  return found == quantities.end() ? nullptr : &found->second;
}

// What cannot be read counts as nothing: the API server refuses it before it is stored.
std::int64_t bytes(const std::string* text) { return text ? parseQuantity(*text).value_or(0) : 0; }
std::int64_t thousandths(const std::string* text) { return text ? parseMilliQuantity(*text).value_or(0) : 0; }

Resources resourcesIn(const Quantities& quantities) {
  return {bytes(find(quantities, "memory")), thousandths(find(quantities, "cpu"))};
}

// A container that only says what it may use at most has that much set aside.
const std::string* requestOf(const kinds::Container& container, const std::string& name) {
  const std::string* request = find(container.resources.requests, name);
  return request ? request : find(container.resources.limits, name);
}

Resources requestsOf(const kinds::Pod& pod) {
  Resources sum;
  for (const kinds::Container& container : pod.spec.containers) {
    sum.memoryBytes += bytes(requestOf(container, "memory"));
    sum.milliCpu += thousandths(requestOf(container, "cpu"));
  }
  return sum;
}

bool isReady(const kinds::Node& node) {
  const kinds::Condition* ready = kinds::findCondition(node.status.conditions, "Ready");
  return !ready || ready->status == "True";
}

}  // namespace

bool isWaiting(const kinds::Pod& pod) {
  return pod.spec.nodeName.empty() && !pod.metadata.beingDeleted() && !pod.ended();
}

NodeView viewOf(const kinds::Node& node) {
  const auto& status = node.status;
  return {.name = node.metadata.name,
          .labels = node.metadata.labels,
          .taints = node.spec.taints,
          .unschedulable = node.spec.unschedulable,
          .ready = isReady(node),
          .allocatable = resourcesIn(status.allocatable.empty() ? status.capacity : status.allocatable),
          .used = {},
          .pods = {}};
}

void place(std::shared_ptr<const kinds::Pod> pod, NodeView& node) {
  const Resources requests = requestsOf(*pod);
  node.used.memoryBytes += requests.memoryBytes;
  node.used.milliCpu += requests.milliCpu;
  node.pods.push_back(std::move(pod));
}

Demand demandOf(const kinds::Pod& pod, std::span<const NodeView> nodes) {
  const auto& affinity = pod.spec.affinity;
  return {.nodeSelector = pod.spec.nodeSelector,
          .nodeAffinity = affinity && affinity->nodeAffinity ? affinity->nodeAffinity->required : std::nullopt,
          .tolerations = pod.spec.tolerations,
          .requests = requestsOf(pod),
          .neighbourhood = neighbourhoodOf(pod, nodes),
          .claims = {}};
}

}  // namespace godwit::scheduler
