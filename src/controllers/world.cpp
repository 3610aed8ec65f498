#include "controllers/world.hpp"

#include "kinds/claim_use.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers {
namespace {

template <class T>
std::vector<std::string> ownersOf(const T& object) {
  std::vector<std::string> uids;
  for (const auto& owner : object.metadata.ownerReferences) uids.push_back(owner.uid);
  return uids;
}

std::vector<std::string> hostOf(const kinds::Node& node) {
  return {object::valueOf(node.metadata.labels, kinds::words::kHostname)};
}

std::vector<std::string> instanceOf(const kinds::Pod& pod) {
  const auto uid = pod.metadata.labels.find(std::string(kinds::words::kCreatedBy));
  if (uid == pod.metadata.labels.end()) return {};
  return {uid->second};
}

std::vector<std::string> mountedBy(const kinds::Pod& pod) {
  std::vector<std::string> claims;
  for (const std::string& name : kinds::claimNamesOf(pod))
    claims.push_back(object::show({pod.metadata.nameSpace, name}));
  return claims;
}

std::vector<std::string> claimsOf(const kinds::VolumeMigration& wish) {
  std::vector<std::string> claims;
  if (kinds::isFinal(wish.status.phase)) return claims;
  for (const kinds::MigratedVolume& volume : wish.spec.migratedVolume)
    for (const std::string& name : {volume.sourceClaim, volume.destinationClaim})
      if (!name.empty()) claims.push_back(object::show({wish.metadata.nameSpace, name}));
  return claims;
}

std::vector<std::string> instanceOf(const kinds::VolumeMigration& wish) {
  if (kinds::isFinal(wish.status.phase)) return {};
  return {object::show({wish.metadata.nameSpace, wish.status.virtualMachineInstanceName})};
}

std::vector<std::string> destinationsOf(const kinds::VirtualMachineInstance& instance) {
  std::vector<std::string> claims;
  if (!instance.moving()) return claims;
  for (const kinds::MigratedVolumeStatus& volume : instance.status.migratedVolumes)
    claims.push_back(object::show({instance.metadata.nameSpace, volume.destinationPVCInfo.claimName}));
  return claims;
}

std::vector<std::string> destinationsOf(const kinds::VirtualMachineInstanceMigration& migration) {
  std::vector<std::string> claims;
  if (kinds::isFinal(migration.status.phase)) return claims;
  for (const kinds::MigratedClaim& moved : migration.spec.migratedVolumes)
    claims.push_back(object::show({migration.metadata.nameSpace, moved.destinationClaim}));
  return claims;
}

std::vector<std::string> claimsUsedBy(const std::string& nameSpace, const kinds::VirtualMachineInstanceSpec& spec) {
  std::vector<std::string> claims;
  for (const kinds::VolumeSpec& volume : spec.allVolumes())
    if (const std::string claim = volume.claim(); !claim.empty()) claims.push_back(object::show({nameSpace, claim}));
  return claims;
}

std::vector<std::string> dataOf(const kinds::VirtualMachine& machine) {
  std::vector<std::string> claims;
  for (const kinds::VolumeInUse& volume : machine.status.godwit.volumes)
    claims.push_back(object::show({machine.metadata.nameSpace, volume.claimName}));
  return claims;
}

std::vector<std::string> originOf(const kinds::DataVolume& volume) {
  const auto& origin = volume.spec.source.pvc;
  if (!origin || kinds::isFinal(volume.status.phase)) return {};
  return {object::show({volume.metadata.nameSpace, origin->name})};
}

std::vector<std::string> holderOf(const kinds::PersistentVolume& volume) {
  if (!volume.spec.claimRef) return {};
  return {object::show({volume.spec.claimRef->nameSpace, volume.spec.claimRef->name})};
}

std::vector<std::string> classOfFree(const kinds::PersistentVolume& volume) {
  return volume.spec.claimRef ? std::vector<std::string>() : std::vector{volume.spec.storageClassName};
}

std::vector<std::string> unbound(const kinds::PersistentVolumeClaim& claim) {
  return claim.bound() ? std::vector<std::string>() : std::vector<std::string>{""};
}

}  // namespace

std::vector<std::string> claimsUsedBy(const kinds::VirtualMachineInstance& instance) {
  return claimsUsedBy(instance.metadata.nameSpace, instance.spec);
}

std::vector<std::string> claimsUsedBy(const kinds::VirtualMachine& machine) {
  return claimsUsedBy(machine.metadata.nameSpace, machine.spec.instance.spec);
}

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
  nodes.addIndex(index::kByHost, hostOf);
  pods.addIndex(index::kByInstance, [](const kinds::Pod& pod) { return instanceOf(pod); });
  pods.addIndex(index::kByOwner, ownersOf<kinds::Pod>);
  pods.addIndex(index::kByClaim, mountedBy);
  pods.addIndex(index::kByNode, [](const kinds::Pod& pod) { return std::vector{pod.spec.nodeName}; });
  machines.addIndex(index::kByClaim, [](const kinds::VirtualMachine& one) { return claimsUsedBy(one); });
  machines.addIndex(index::kByData, dataOf);
  dataVolumes.addIndex(index::kByOwner, ownersOf<kinds::DataVolume>);
  instances.addIndex(index::kByOwner, ownersOf<kinds::VirtualMachineInstance>);
  instances.addIndex(index::kByClaim, [](const kinds::VirtualMachineInstance& one) { return claimsUsedBy(one); });
  instances.addIndex(index::kByDestination,
                     [](const kinds::VirtualMachineInstance& one) { return destinationsOf(one); });
  volumeMigrations.addIndex(index::kByClaim, claimsOf);
  volumeMigrations.addIndex(index::kByInstance, [](const kinds::VolumeMigration& one) { return instanceOf(one); });
  dataVolumes.addIndex(index::kByClaim, originOf);
  volumes.addIndex(index::kByClaim, holderOf);
  volumes.addIndex(index::kFreeByClass, classOfFree);
  claims.addIndex(index::kUnbound, unbound);
  migrations.addIndex(index::kByOwner, ownersOf<kinds::VirtualMachineInstanceMigration>);
  migrations.addIndex(index::kByDestination,
                      [](const kinds::VirtualMachineInstanceMigration& one) { return destinationsOf(one); });
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
