#include "kinds/registry.hpp"

#include "kinds/core.hpp"
#include "kinds/migration.hpp"
#include "kinds/node.hpp"
#include "kinds/pod.hpp"
#include "kinds/virtual_machine.hpp"
#include "kinds/virtual_machine_instance.hpp"
#include "kinds/volume.hpp"
#include "kinds/volume_migration.hpp"
#include "schema/define.hpp"

namespace godwit::kinds {
namespace {

template <class... Kinds>
std::vector<schema::Definition> defineAll() {
  return {schema::define<Kinds>()...};
}

}  // namespace

std::vector<schema::Definition> custom() {
  return defineAll<VirtualMachine, VirtualMachineInstance, VirtualMachineInstanceMigration, VolumeMigration>();
}

std::vector<schema::Definition> all() {
  auto definitions = defineAll<Namespace, Node, Pod, PersistentVolume, PersistentVolumeClaim, StorageClass, Event,
                               Secret, ConfigMap, ServiceAccount, Lease>();
  for (auto& definition : custom()) definitions.push_back(std::move(definition));
  return definitions;
}

}  // namespace godwit::kinds
