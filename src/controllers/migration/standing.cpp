#include "controllers/migration/standing.hpp"

namespace godwit::controllers::migration {
namespace {

bool couldBegin(const kinds::VirtualMachineInstanceMigration& migration,
                const kinds::VirtualMachineInstance* instance) {
  return instance && instance->status.phase == kinds::InstancePhase::Running && !instance->moving() &&
         !migration.metadata.beingDeleted();
}

}  // namespace

Turns::Standing standingOf(const kinds::VirtualMachineInstanceMigration& migration,
                           const kinds::VirtualMachineInstance* instance) {
  const bool held = instance && instance->status.migrationState &&
                    instance->status.migrationState->migrationUid == migration.metadata.uid;
  const auto& state = held ? instance->status.migrationState : migration.status.migrationState;
  Turns::Standing standing{.place = placeOf(migration),
                           .source = instance ? instance->status.nodeName : "",
                           .target = "",
                           .underWay = held || migration.status.phase > kinds::MigrationPhase::Pending};
  if (state) standing.source = state->sourceNode;
  if (state && state->targetNode != state->sourceNode) standing.target = state->targetNode;
  return standing;
}

std::vector<Turns::Standing> standings(const World& world) {
  std::vector<Turns::Standing> all;
  for (const auto& migration : world.migrations.list()) {
    if (kinds::isFinal(migration->status.phase)) continue;
    const auto instance = world.instances.get({migration->metadata.nameSpace, migration->spec.vmiName});
    auto standing = standingOf(*migration, instance.get());
    if (standing.underWay || couldBegin(*migration, instance.get())) all.push_back(std::move(standing));
  }
  return all;
}

}  // namespace godwit::controllers::migration
