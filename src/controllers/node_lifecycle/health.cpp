#include "controllers/node_lifecycle/health.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "controllers/dead_node.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::node_lifecycle {
namespace {

constexpr std::string_view kNotReady = "node.kubernetes.io/not-ready";

// The taint that goes with a health; none with the best.
std::string_view taintOf(Health health) {
  switch (health) {
    case Health::Healthy:
      return "";
    case Health::NotReady:
      return kNotReady;
    case Health::Unreachable:
      return kinds::words::kUnreachable;
  }
  __builtin_unreachable();
}

// In place, so that nothing is written when nothing has changed.
void setTaints(std::vector<kinds::Taint>& taints, std::string_view wanted) {
  std::erase_if(taints, [&](const kinds::Taint& taint) {
    return (taint.key == kNotReady || taint.key == kinds::words::kUnreachable) && taint.key != wanted;
  });
  if (wanted.empty()) return;
  for (const char* effect : {"NoSchedule", "NoExecute"}) {
    const kinds::Taint taint{.key = std::string(wanted), .value = "", .effect = effect};
    if (std::find(taints.begin(), taints.end(), taint) == taints.end()) taints.push_back(taint);
  }
}

kinds::Condition unheardOf(const std::string& node) {
  return {.type = "Ready",
          .status = "Unknown",
          .reason = std::string(kNodeUnreachable),
          .message = fmt::format("nobody hears of node {0}; its guests may well be running, so they are not started "
                                 "elsewhere. If it is certainly dead, say so: kubectl taint nodes {0} {1}=nodeshutdown:"
                                 "NoExecute",
                                 node, kinds::words::kOutOfService),
          .lastTransitionTime = {}};
}

// What the node itself said last.
kinds::Condition asReported(const kinds::PodStatus& status) {
  return {.type = "Ready",
          .status = status.phase == kinds::pod_phase::kRunning ? "True" : "False",
          .reason = status.reason,
          .message = status.message,
          .lastTransitionTime = {}};
}

}  // namespace

Health judge(const kinds::Node& node, bool silent) {
  const kinds::Condition* ready = kinds::findCondition(node.status.conditions, "Ready");
  if (silent || (ready && ready->status == "Unknown")) return Health::Unreachable;
  return ready && ready->status == "False" ? Health::NotReady : Health::Healthy;
}

kinds::Node withHealth(kinds::Node node, Health health, Timestamp now) {
  setTaints(node.spec.taints, taintOf(health));
  if (const auto label = node.metadata.labels.find(std::string(kinds::words::kSchedulable));
      label != node.metadata.labels.end())
    label->second = health == Health::Healthy ? "true" : "false";
  if (health == Health::Unreachable)
    kinds::setCondition(node.status.conditions,
                        {.type = "Ready",
                         .status = "Unknown",
                         .reason = "NodeStatusUnknown",
                         .message = "Kubelet stopped posting node status.",
                         .lastTransitionTime = {}},
                        now);
  return node;
}

kinds::Pod withHealth(kinds::Pod pod, Health health, Timestamp now) {
  if (pod.ended()) return pod;
  const kinds::Condition* ready = kinds::findCondition(pod.status.conditions, "Ready");
  if (health == Health::Unreachable)
    kinds::setCondition(pod.status.conditions, unheardOf(pod.spec.nodeName), now);
  else if (ready && ready->reason == kNodeUnreachable)
    kinds::setCondition(pod.status.conditions, asReported(pod.status), now);
  return pod;
}

}  // namespace godwit::controllers::node_lifecycle
