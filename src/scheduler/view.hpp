#pragma once

#include <memory>
#include <vector>

#include "base/clock.hpp"
#include "client/cache.hpp"
#include "client/client.hpp"
#include "control/recorder.hpp"
#include "kinds/node.hpp"
#include "kinds/pod.hpp"
#include "kinds/volume.hpp"
#include "scheduler/assumptions.hpp"
#include "scheduler/snapshot.hpp"

namespace godwit::scheduler {

// All that the scheduler sees and reaches: caches to read, a client to write.
struct View {
  View(const client::Client& client, const Clock& clock, Random& random);

  std::vector<client::Reflector*> caches();

  // Pods that wait for a node.
  std::vector<std::shared_ptr<const kinds::Pod>> waitingPods() const;
  // All nodes with their pods; `assumed` ones count where they are about to go, and `except` nowhere.
  std::vector<NodeView> placedPods(const Assumptions::Reading& assumed, const object::Key& except) const;
  // What the pod asks for, among the nodes as they are.
  Demand demandOf(const kinds::Pod& pod, std::span<const NodeView> nodes) const;

  const client::Client& client;
  const Clock& clock;
  control::Recorder recorder;
  Assumptions assumptions;

  client::Cache<kinds::Node> nodes;
  client::Cache<kinds::Pod> pods;
  client::Cache<kinds::PersistentVolume> volumes;
  client::Cache<kinds::PersistentVolumeClaim> claims;
  client::Cache<kinds::StorageClass> classes;

 private:
  ClaimView viewOfClaim(const object::Key& key) const;
};

// Names of indexes.
namespace index {
inline constexpr const char* kByNode = "node";  // pods, by the node they are bound to; "" while they are not
inline constexpr const char* kByClaim =
    "claim";  // pods, by the claims they mount; volumes, by the one they are kept for
}  // namespace index

}  // namespace godwit::scheduler
