#include "controllers/dead_node.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kinds/words.hpp"

namespace godwit::controllers {

bool isOutOfService(const kinds::Node& node) {
  const auto& taints = node.spec.taints;
  const bool tainted = std::any_of(taints.begin(), taints.end(),
                                   [](const kinds::Taint& taint) { return taint.key == kinds::words::kOutOfService; });
  return tainted && !kinds::isTrue(node.status.conditions, "Ready");
}

bool isOnDeadNode(const World& world, const kinds::Pod& pod) {
  const auto node = world.nodes.get({"", pod.spec.nodeName});
  return node && isOutOfService(*node);
}

Result<bool> isSurelyDead(const World& world, const std::string& node) {
  const auto found = TRY(world.client.find<kinds::Node>({"", node}));
  return found && isOutOfService(*found);
}

std::string nodeIsDead(const std::string& node) { return fmt::format("node {} is known to be dead", node); }

Result<> declareLost(const World& world, const kinds::Pod& pod) {
  if (!TRY(isSurelyDead(world, pod.spec.nodeName))) return {};
  auto after = pod;
  after.status.phase = kinds::pod_phase::kFailed;
  after.status.reason = kNodeLost;
  after.status.message = nodeIsDead(pod.spec.nodeName);
  kinds::setCondition(after.status.conditions,
                      {.type = "Ready",
                       .status = "False",
                       .reason = after.status.reason,
                       .message = after.status.message,
                       .lastTransitionTime = {}},
                      world.clock.now());
  TRY(world.client.changeStatus(pod, after));
  return {};
}

bool isLost(const kinds::Pod& pod) {
  return pod.status.phase == kinds::pod_phase::kFailed && pod.status.reason == kNodeLost;
}

}  // namespace godwit::controllers
