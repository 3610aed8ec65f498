#include "scheduler/view.hpp"

#include <algorithm>

#include "scheduler/claims.hpp"

namespace godwit::scheduler {
namespace {

std::vector<std::string> mountedBy(const kinds::Pod& pod) {
  std::vector<std::string> claims;
  for (const std::string& name : claimNamesOf(pod)) claims.push_back(object::show({pod.metadata.nameSpace, name}));
  return claims;
}

std::vector<std::string> keptFor(const kinds::PersistentVolume& volume) {
  const auto& claim = volume.spec.claimRef;
  if (!claim) return {};
  return {object::show({claim->nameSpace, claim->name})};
}

bool isOf(const kinds::PersistentVolume& volume, const kinds::PersistentVolumeClaim& claim) {
  const std::string& uid = volume.spec.claimRef->uid;
  return uid.empty() || uid == claim.metadata.uid;
}

// Where the pod takes up room, or is about to; "" when nowhere.
std::string nodeOf(const kinds::Pod& pod, const Assumptions::Reading& assumed) {
  if (pod.ended()) return "";
  if (!isWaiting(pod)) return pod.spec.nodeName;
  const auto found = assumed.all.find(pod.metadata.key());
  return found != assumed.all.end() && found->second.uid == pod.metadata.uid ? found->second.node : "";
}

}  // namespace

View::View(const client::Client& api, const Clock& time, Random& random)
    : client(api),
      clock(time),
      recorder(api, time, random),
      nodes(api),
      pods(api),
      volumes(api),
      claims(api),
      classes(api) {
  pods.addIndex(index::kByNode, [](const kinds::Pod& pod) { return std::vector{pod.spec.nodeName}; });
  pods.addIndex(index::kByClaim, mountedBy);
  volumes.addIndex(index::kByClaim, keptFor);
}

std::vector<client::Reflector*> View::caches() { return {&nodes, &pods, &volumes, &claims, &classes}; }

std::vector<std::shared_ptr<const kinds::Pod>> View::waitingPods() const {
  auto unbound = pods.by(index::kByNode, "");
  std::erase_if(unbound, [](const auto& pod) { return !isWaiting(*pod); });
  return unbound;
}

std::vector<NodeView> View::placedPods(const Assumptions::Reading& assumed, const object::Key& except) const {
  std::map<std::string, NodeView> byName;
  for (const auto& node : nodes.list()) byName.emplace(node->metadata.name, viewOf(*node));
  for (const auto& pod : pods.list()) {
    const auto found = byName.find(nodeOf(*pod, assumed));
    if (found != byName.end() && pod->metadata.key() != except) place(pod, found->second);
  }
  std::vector<NodeView> views;
  views.reserve(byName.size());
  for (auto& [name, node] : byName) views.push_back(std::move(node));
  return views;
}

Demand View::demandOf(const kinds::Pod& pod, std::span<const NodeView> among) const {
  Demand demand = scheduler::demandOf(pod, among);
  for (const std::string& name : claimNamesOf(pod))
    demand.claims.push_back(viewOfClaim({pod.metadata.nameSpace, name}));
  return demand;
}

ClaimView View::viewOfClaim(const object::Key& key) const {
  const auto claim = claims.get(key);
  if (!claim) return {.name = key.name, .state = ClaimView::State::Missing};
  if (claim->metadata.beingDeleted()) return {.name = key.name, .state = ClaimView::State::BeingDeleted};
  if (!claim->spec.volumeName.empty()) return viewWithVolume(*claim, volumes.get({"", claim->spec.volumeName}).get());
  for (const auto& volume : volumes.by(index::kByClaim, object::show(key)))
    if (isOf(*volume, *claim)) return viewWithVolume(*claim, volume.get());
  ClaimView view = viewWithoutVolume(*claim, classes.get({"", claim->spec.storageClassName}).get(), volumes.list());
  // A node that is gone binds nobody: the claim has to be told of another.
  if (!nodes.get({"", view.selectedNode})) view.selectedNode.clear();
  return view;
}

}  // namespace godwit::scheduler
