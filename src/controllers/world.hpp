#pragma once

#include <memory>
#include <vector>

#include "base/clock.hpp"
#include "client/cache.hpp"
#include "client/client.hpp"
#include "control/recorder.hpp"
#include "controllers/migration/turns.hpp"
#include "kinds/core.hpp"
#include "kinds/data_volume.hpp"
#include "kinds/early_migration.hpp"
#include "kinds/kubevirt.hpp"
#include "kinds/migration.hpp"
#include "kinds/migration_policy.hpp"
#include "kinds/node.hpp"
#include "kinds/pod.hpp"
#include "kinds/virtual_machine.hpp"
#include "kinds/virtual_machine_instance.hpp"
#include "kinds/volume.hpp"
#include "kinds/volume_migration.hpp"

namespace godwit::controllers {

// All that controllers see and reach: caches to read, a client to write.
struct World {
  World(const client::Client& client, const Clock& clock, Random& random);

  std::vector<client::Reflector*> caches();

  const client::Client& client;
  const Clock& clock;
  control::Recorder recorder;

  client::Cache<kinds::Node> nodes;
  client::Cache<kinds::Lease> leases;  // of the nodes
  client::Cache<kinds::Pod> pods;
  client::Cache<kinds::PersistentVolume> volumes;
  client::Cache<kinds::PersistentVolumeClaim> claims;
  client::Cache<kinds::StorageClass> classes;
  client::Cache<kinds::DataVolume> dataVolumes;
  client::Cache<kinds::VirtualMachine> machines;
  client::Cache<kinds::VirtualMachineInstance> instances;
  client::Cache<kinds::VirtualMachineInstanceMigration> migrations;
  client::Cache<kinds::EarlyMigration> earlyMigrations;
  client::Cache<kinds::VolumeMigration> volumeMigrations;
  client::Cache<kinds::KubeVirt> kubeVirts;
  client::Cache<kinds::MigrationPolicy> policies;
  client::Cache<kinds::Namespace> namespaces;

  migration::Turns turns;
};

// Names of indexes; the values are "namespace/name", or a UID.
namespace index {
// Migrations, by the instance they move; volume migrations that have not ended, likewise; pods, by its UID.
inline constexpr const char* kByInstance = "instance";
// Instances, and machines, by the claims they use; pods, by those they mount; volumes, by the one they are kept for;
// volume migrations that have not ended, by those they move from and to; DataVolumes that are not filled, by the claim
// they are to be copies of.
inline constexpr const char* kByClaim = "claim";
// Instances, by the claims they are moving to; migrations that have not ended, likewise.
inline constexpr const char* kByDestination = "destination";
inline constexpr const char* kByData = "data";       // machines, by the claims that their guests were last seen to use
inline constexpr const char* kByOwner = "owner";     // by the UIDs of owners
inline constexpr const char* kByNode = "node";       // pods, by the node they are bound to
inline constexpr const char* kByHost = "host";       // nodes, by the host name they are labelled with
inline constexpr const char* kFreeByClass = "free";  // volumes that are kept for nobody, by their class
inline constexpr const char* kUnbound = "unbound";   // claims without a volume, all by ""
}  // namespace index

// The claims that an instance uses, or a machine names, as values of kByClaim.
std::vector<std::string> claimsUsedBy(const kinds::VirtualMachineInstance& instance);
std::vector<std::string> claimsUsedBy(const kinds::VirtualMachine& machine);

// From the cache, or from the server itself when the cache has none: what a cache
// has not seen yet must not be taken for what does not exist. Null when it does not.
template <class T>
Result<std::shared_ptr<const T>> findSurely(const World& world, const client::Cache<T>& cache, const object::Key& key) {
  if (auto cached = cache.get(key)) return cached;
  auto fresh = TRY(world.client.find<T>(key));
  return fresh ? std::make_shared<const T>(std::move(*fresh)) : nullptr;
}

}  // namespace godwit::controllers
