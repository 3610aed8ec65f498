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
#include "scheduler/roster.hpp"

namespace godwit::scheduler {

// All that the scheduler sees and reaches: caches to read, a client to write.
struct View {
  View(const client::Client& client, const Clock& clock, Random& random);

  std::vector<client::Reflector*> caches();

  // The claims that the pod mounts.
  std::vector<ClaimView> claimsOf(const kinds::Pod& pod) const;

  const client::Client& client;
  const Clock& clock;
  control::Recorder recorder;
  Roster roster;  // as the caches show it

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
inline constexpr const char* kByClaim =
    "claim";  // pods, by the claims they mount; volumes, by the one they are kept for
inline constexpr const char* kFreeByClass = "free";  // volumes that are kept for nobody, by their class
inline constexpr const char* kWaiting = "waiting";   // pods that wait for a node, by what they wait for besides:
inline constexpr const char* kForAnything = "anything";
inline constexpr const char* kForCompany = "company";
inline constexpr const char* kForClaims = "claims";
}  // namespace index

}  // namespace godwit::scheduler
