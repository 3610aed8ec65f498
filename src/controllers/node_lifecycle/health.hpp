#pragma once

#include "kinds/node.hpp"
#include "kinds/pod.hpp"

// What is said of a node, and of the pods on it, when it is not heard of or does not feel well.
namespace godwit::controllers::node_lifecycle {

enum class Health { Healthy, NotReady, Unreachable };

// A node that was silent for too long is unreachable until it says itself that it is ready.
Health judge(const kinds::Node& node, bool silent);

// With the Ready condition and the taints that go with its health; other taints stay.
kinds::Node withHealth(kinds::Node node, Health health, Timestamp now);

// With the Ready condition that goes with its node's health. Nobody knows whether a guest on an unreachable
// node runs, so its pod is not failed: it says what a person can do.
kinds::Pod withHealth(kinds::Pod pod, Health health, Timestamp now);

}  // namespace godwit::controllers::node_lifecycle
