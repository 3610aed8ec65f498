#include "scheduler/roster.hpp"

#include <algorithm>
#include <utility>

namespace godwit::scheduler {
namespace {

// How far one search begins from another: 2^32 over the golden ratio. Starts are spread over any number of nodes, and
// do not fall into step with pods that come in turns.
constexpr std::size_t kStride = 2'654'435'769;

// Whether it makes no difference to anybody else which of them is where the other was.
bool countAlike(const kinds::Pod& one, const kinds::Pod& other) {
  return one.metadata.labels == other.metadata.labels && one.spec.affinity == other.spec.affinity &&
         one.spec.containers == other.spec.containers;
}

}  // namespace

std::size_t Roster::KeyHash::operator()(const object::Key& key) const {
  const std::hash<std::string> hash;
  return hash(key.name) + 31 * hash(key.nameSpace);
}

Roster::Site& Roster::siteNamed(const std::string& name) {
  return sites_.try_emplace(name, Site{.name = name}).first->second;
}

void Roster::forgetIfEmpty(const Site& site) {
  if (!site.node && site.tenants.empty()) sites_.erase(sites_.find(site.name));
}

void Roster::seeNode(const std::string& name, const kinds::Node* node) {
  const Lock lock(mutex_);
  Site& site = siteNamed(name);
  std::optional<NodeView> after;
  if (node) shareTaints(after.emplace(viewOf(*node)));
  if (site.node && after && site.node->labels == after->labels) {
    after->used = site.node->used;
    site.node = std::move(after);
    return;
  }
  discount(site);
  site.node = std::move(after);
  count(site);
  forgetIfEmpty(site);
}

void Roster::shareTaints(NodeView& node) {
  const auto known = std::find(taints_.begin(), taints_.end(), node.taints);
  if (known != taints_.end()) {
    node.taints = *known;
    return;
  }
  std::erase_if(taints_, [](const Taints& taints) { return !taints.areShared(); });
  taints_.push_back(node.taints);
}

// With the node come, and go, the pods that are there.
void Roster::count(Site& site) {
  if (!site.node) return;
  index_.add(*site.node);
  for (const Tenant* tenant : site.tenants) {
    site.node->used += tenant->requests;
    census_.add(*tenant->counted, *site.node);
  }
}

void Roster::discount(Site& site) {
  if (!site.node) return;
  index_.remove(*site.node);
  for (const Tenant* tenant : site.tenants) census_.remove(*tenant->counted);
}

void Roster::seePod(const object::Key& key, std::shared_ptr<const kinds::Pod> pod) {
  const Lock lock(mutex_);
  Tenant& tenant = tenants_[key];
  if (!pod) {
    leave(tenant);
    tenants_.erase(key);
    return;
  }
  const bool another = tenant.pod && tenant.pod->metadata.uid != pod->metadata.uid;
  if (another || !isWaiting(*pod)) tenant.assumed.clear();
  tenant.pod = std::move(pod);
  settle(tenant);
}

void Roster::settle(Tenant& tenant) {
  const kinds::Pod& pod = *tenant.pod;
  const std::string& place = isWaiting(pod) ? tenant.assumed : pod.spec.nodeName;
  const bool counts = !place.empty() && !pod.ended();
  if (counts && tenant.at && tenant.at->name == place && countAlike(*tenant.counted, pod)) return;
  leave(tenant);
  if (!counts) return;
  Site& site = siteNamed(place);
  tenant.at = &site;
  tenant.counted = tenant.pod;
  tenant.requests = requestsOf(pod);
  site.tenants.push_back(&tenant);
  if (!site.node) return;
  site.node->used += tenant.requests;
  census_.add(pod, *site.node);
}

void Roster::leave(Tenant& tenant) {
  if (!tenant.at) return;
  Site& site = *std::exchange(tenant.at, nullptr);
  std::erase(site.tenants, &tenant);
  if (site.node) {
    site.node->used -= tenant.requests;
    census_.remove(*tenant.counted);
  }
  tenant.counted.reset();
  forgetIfEmpty(site);
}

std::optional<Verdict> Roster::place(const object::Key& key, std::span<const ClaimView> claims) {
  std::optional<Verdict> verdict;
  bool released = false;
  {
    const Lock lock(mutex_);
    const auto found = tenants_.find(key);
    if (found == tenants_.end() || !isWaiting(*found->second.pod)) return std::nullopt;
    Tenant& tenant = found->second;
    leave(tenant);
    verdict = search(tenant, claims);
    released = !tenant.assumed.empty() && tenant.assumed != verdict->node;
    tenant.assumed = verdict->node;
    settle(tenant);
  }
  if (released) announceRelease();
  return verdict;
}

std::map<std::string, std::vector<Refusal>> Roster::examine(const kinds::Pod& pod, std::span<const ClaimView> claims) {
  const Lock lock(mutex_);
  const Demand demand = demandOf(pod, claims);
  std::map<std::string, std::vector<Refusal>> found;
  for (const NodeView* node : index_.all()) found[node->name] = refuseFully(demand, *node);
  return found;
}

Demand Roster::demandOf(const kinds::Pod& pod, std::span<const ClaimView> claims) {
  return {.spec = pod.spec, .requests = requestsOf(pod), .claims = claims, .neighbourhood = census_.around(pod)};
}

Verdict Roster::search(const Tenant& tenant, std::span<const ClaimView> claims) {
  const Demand demand = demandOf(*tenant.pod, claims);
  NodeIndex::List gathered;
  const Nodes promising = index_.promising(demand, gathered);
  return choose(demand, {.all = index_.all(), .promising = promising, .start = start_ += kStride});
}

std::size_t Roster::assumed() const {
  const Lock lock(mutex_);
  std::size_t count = 0;
  for (const auto& [key, tenant] : tenants_) count += tenant.assumed.empty() ? 0 : 1;
  return count;
}

void Roster::announceRelease() const {
  for (const auto& listener : listeners_) listener();
}

}  // namespace godwit::scheduler
