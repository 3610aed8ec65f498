#include "kinds/registry.hpp"

#include "kinds/core.hpp"
#include "kinds/data_volume_rules.hpp"
#include "kinds/disruption_budget.hpp"
#include "kinds/early_migration.hpp"
#include "kinds/kubevirt.hpp"
#include "kinds/migration.hpp"
#include "kinds/migration_policy.hpp"
#include "kinds/migration_rules.hpp"
#include "kinds/node.hpp"
#include "kinds/pod.hpp"
#include "kinds/secret.hpp"
#include "kinds/virtual_machine.hpp"
#include "kinds/virtual_machine_instance.hpp"
#include "kinds/volume.hpp"
#include "kinds/volume_migration.hpp"
#include "schema/define.hpp"
#include "schema/read.hpp"

namespace godwit::schema {

// The one place where the shapes of kinds are made.
template const Shape& shapeFor<kinds::Node>();
template const Shape& shapeFor<kinds::Pod>();
template const Shape& shapeFor<kinds::PersistentVolume>();
template const Shape& shapeFor<kinds::PersistentVolumeClaim>();
template const Shape& shapeFor<kinds::StorageClass>();
template const Shape& shapeFor<kinds::VirtualMachineInstance>();
template const Shape& shapeFor<kinds::VolumeSpec>();
template const Shape& shapeFor<kinds::VirtualMachine>();
template const Shape& shapeFor<kinds::VirtualMachineInstanceMigration>();
template const Shape& shapeFor<kinds::EarlyMigration>();
template const Shape& shapeFor<kinds::MigrationPolicy>();
template const Shape& shapeFor<kinds::KubeVirt>();
template const Shape& shapeFor<kinds::VolumeMigration>();
template const Shape& shapeFor<kinds::DataVolume>();
template const Shape& shapeFor<kinds::Namespace>();
template const Shape& shapeFor<kinds::Secret>();
template const Shape& shapeFor<kinds::ConfigMap>();
template const Shape& shapeFor<kinds::ServiceAccount>();
template const Shape& shapeFor<kinds::Event>();
template const Shape& shapeFor<kinds::Lease>();

}  // namespace godwit::schema

namespace godwit::kinds {
namespace {

template <class... Kinds>
std::vector<schema::Definition> defineAll() {
  return {schema::define<Kinds>()...};
}

// A kind whose fields must also agree with each other.
template <class T>
schema::Definition defineWithRules() {
  schema::Definition definition = schema::define<T>();
  definition.check = [check = std::move(definition.check)](const object::Document& document) {
    schema::Findings findings = check(document);
    if (findings.problems.empty()) findings.problems = problemsOf(schema::view<T>(json::value(document)));
    return findings;
  };
  return definition;
}

}  // namespace

std::vector<schema::Definition> custom() {
  return {defineWithRules<VirtualMachine>(),
          schema::define<VirtualMachineInstance>(),
          defineWithRules<VirtualMachineInstanceMigration>(),
          defineWithRules<VolumeMigration>(),
          defineWithRules<DataVolume>(),
          schema::define<EarlyMigration>(),
          defineWithRules<MigrationPolicy>(),
          defineWithRules<KubeVirt>()};
}

std::vector<schema::Definition> all() {
  auto definitions = defineAll<Namespace, Node, Pod, PersistentVolume, PersistentVolumeClaim, StorageClass, Event,
                               Secret, ConfigMap, ServiceAccount, Lease, PodDisruptionBudget>();
  for (auto& definition : definitions)
    if (definition.kind.name == schema::kind<Secret>.name) definition = takingText(std::move(definition));
  for (auto& definition : custom()) definitions.push_back(std::move(definition));
  return definitions;
}

}  // namespace godwit::kinds
