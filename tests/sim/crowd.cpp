#include <map>
#include <set>

#include <fmt/format.h>

#include "kinds/kubevirt.hpp"
#include "sim/simulation.hpp"

namespace godwit::sim {
namespace {

template <class T>
std::vector<T> listed(const client::Client& client) {
  std::vector<T> all;
  if (const auto found = client.list(schema::kind<T>))
    for (const auto& document : found->items) all.push_back(schema::view<T>(document));
  return all;
}

std::string guestNumber(int number) { return fmt::format("guest-{}", number); }

}  // namespace

void Simulation::createCrowd(int guests, const Limits& limits) {
  limits_ = limits;
  kinds::Namespace home;
  home.metadata.name = "kubevirt";
  (void)people_->create(home);
  kinds::KubeVirt cluster;
  cluster.metadata.nameSpace = cluster.metadata.name = "kubevirt";
  auto& said = cluster.spec.configuration.emplace().migrations.emplace();
  said.parallelMigrationsPerCluster = limits.inCluster;
  said.parallelOutboundMigrationsPerNode = limits.fromNode;
  said.parallelInboundMigrationsPerNode = limits.toNode;
  (void)people_->create(cluster);
  for (crowd_ = 0; crowd_ < guests; ++crowd_) {
    createClaim(guestNumber(crowd_), "shared");
    createMachine(guestNumber(crowd_), guestNumber(crowd_));
  }
}

bool Simulation::crowdRests() const {
  for (int i = 0; i < crowd_; ++i) {
    const auto guest = get<kinds::VirtualMachineInstance>(guestNumber(i));
    if (!guest || guest->status.phase != kinds::InstancePhase::Running || guest->moving() ||
        !guest->status.evacuationNodeName.empty() || fabric_.runningCopies("default_" + guestNumber(i)) != 1)
      return false;
  }
  return true;
}

// From the claim of the instance until the end of the migration is on record, both as the server has them.
void Simulation::checkLimits() {
  if (!exchange_.server || crowd_ == 0) return;
  std::set<std::string> live;
  for (const auto& migration : listed<kinds::VirtualMachineInstanceMigration>(*people_))
    if (!kinds::isFinal(migration.status.phase)) live.insert(migration.metadata.uid);
  std::int64_t all = 0;
  std::map<std::string, std::int64_t> from, to;
  for (const auto& guest : listed<kinds::VirtualMachineInstance>(*people_)) {
    const auto& state = guest.status.migrationState;
    if (fabric_.runningCopies("default_" + guest.metadata.name) > 1) complain(guest.metadata.name + " runs twice");
    if (!state || !live.contains(state->migrationUid)) continue;
    ++all;
    if (++from[state->sourceNode] > limits_.fromNode) complain("too many leave " + state->sourceNode);
    if (!state->targetNode.empty() && ++to[state->targetNode] > limits_.toNode)
      complain("too many come to " + state->targetNode);
  }
  if (all > limits_.inCluster) complain(fmt::format("{} migrations at a time", all));
  mostAtATime_ = std::max(mostAtATime_, all);
}

}  // namespace godwit::sim
