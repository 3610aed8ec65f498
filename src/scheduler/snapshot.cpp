#include "scheduler/snapshot.hpp"

#include <limits>

#include "base/quantity.hpp"

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
  const std::string* pods = find(quantities, "pods");
  return {.memoryBytes = bytes(find(quantities, "memory")),
          .milliCpu = thousandths(find(quantities, "cpu")),
          .pods = pods ? bytes(pods) : std::numeric_limits<std::int64_t>::max()};
}

// A container that only says what it may use at most has that much set aside.
const std::string* requestOf(const kinds::Container& container, const std::string& name) {
  const std::string* request = find(container.resources.requests, name);
  return request ? request : find(container.resources.limits, name);
}

bool isReady(const kinds::Node& node) {
  const kinds::Condition* ready = kinds::findCondition(node.status.conditions, "Ready");
  return !ready || ready->status == "True";
}

}  // namespace

Resources& Resources::operator+=(const Resources& more) {
  memoryBytes += more.memoryBytes;
  milliCpu += more.milliCpu;
  pods += more.pods;
  return *this;
}

Resources& Resources::operator-=(const Resources& less) {
  memoryBytes -= less.memoryBytes;
  milliCpu -= less.milliCpu;
  pods -= less.pods;
  return *this;
}

std::int64_t Tally::at(const NodeView& node) const {
  if (counts.empty()) return 0;
  const Name* value = valueOf(node, label);
  const auto found = value ? counts.find(*value) : counts.end();
  return found == counts.end() ? 0 : found->second;
}

std::vector<Place> placesOf(const object::Labels& labels) {
  std::vector<Place> places;
  places.reserve(labels.size());
  for (const auto& [label, value] : labels) places.push_back({label, value});
  return places;
}

const Name* valueOf(const NodeView& node, const Name& label) {
  for (const Place& place : node.places)
    if (place.label == label) return &place.value;
  return nullptr;
}

bool isWaiting(const kinds::Pod& pod) {
  return pod.spec.nodeName.empty() && !pod.metadata.beingDeleted() && !pod.ended();
}

NodeView viewOf(const kinds::Node& node) {
  const auto& status = node.status;
  return {.name = node.metadata.name,
          .unschedulable = node.spec.unschedulable,
          .ready = isReady(node),
          .allocatable = resourcesIn(status.allocatable.empty() ? status.capacity : status.allocatable),
          .used = {},
          .taints = node.spec.taints,
          .places = placesOf(node.metadata.labels),
          .labels = node.metadata.labels};
}

Resources requestsOf(const kinds::Pod& pod) {
  Resources sum{.memoryBytes = 0, .milliCpu = 0, .pods = 1};
  for (const kinds::Container& container : pod.spec.containers) {
    sum.memoryBytes += bytes(requestOf(container, "memory"));
    sum.milliCpu += thousandths(requestOf(container, "cpu"));
  }
  return sum;
}

}  // namespace godwit::scheduler
