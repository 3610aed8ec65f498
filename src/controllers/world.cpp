#include "controllers/world.hpp"

#include "kinds/words.hpp"

namespace godwit::controllers {
namespace {

template <class T>
std::vector<std::string> ownersOf(const T& object) {
  std::vector<std::string> uids;
  for (const auto& owner : object.metadata.ownerReferences) uids.push_back(owner.uid);
  return uids;
}

std::vector<std::string> instanceOf(const kinds::Pod& pod) {
  const auto uid = pod.metadata.labels.find(std::string(kinds::words::kCreatedBy));
  if (uid == pod.metadata.labels.end()) return {};
  return {uid->second};
}

std::vector<std::string> claimsOf(const kinds::VirtualMachineInstance& instance) {
  std::vector<std::string> claims;
  for (const kinds::VolumeSpec& volume : instance.spec.allVolumes())
    if (const std::string claim = volume.claim(); !claim.empty())
      claims.push_back(object::show({instance.metadata.nameSpace, claim}));
  return claims;
}

}  // namespace

World::World(const client::Client& api, const Clock& time, Random& random)
    : client(api),
      clock(time),
      recorder(api, time, random),
      nodes(api),
      leases(api, {.nameSpace = std::string(kinds::words::kLeaseNamespace), .labelSelector = "", .fieldSelector = ""}),
      pods(api),
      volumes(api),
      claims(api),
      classes(api),
      dataVolumes(api),
      machines(api),
      instances(api),
      migrations(api),
      earlyMigrations(api),
      volumeMigrations(api),
      kubeVirts(api),
      policies(api),
      namespaces(api) {
  pods.addIndex(index::kByInstance, instanceOf);
  pods.addIndex(index::kByOwner, ownersOf<kinds::Pod>);
  pods.addIndex(index::kByNode, [](const kinds::Pod& pod) { return std::vector{pod.spec.nodeName}; });
  dataVolumes.addIndex(index::kByOwner, ownersOf<kinds::DataVolume>);
  instances.addIndex(index::kByOwner, ownersOf<kinds::VirtualMachineInstance>);
  instances.addIndex(index::kByClaim, claimsOf);
  migrations.addIndex(index::kByOwner, ownersOf<kinds::VirtualMachineInstanceMigration>);
  migrations.addIndex(index::kByInstance, [](const kinds::VirtualMachineInstanceMigration& migration) {
    return std::vector{object::show({migration.metadata.nameSpace, migration.spec.vmiName})};
  });
}

std::vector<client::Reflector*> World::caches() {
  return {&nodes,           &leases,           &pods,      &volumes,   &claims,
          &classes,         &dataVolumes,      &machines,  &instances, &migrations,
          &earlyMigrations, &volumeMigrations, &kubeVirts, &policies,  &namespaces};
}

}  // namespace godwit::controllers
