#include "controllers/virtual_machine_instance/stray_hold.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kinds/words.hpp"

namespace godwit::controllers::virtual_machine_instance {

Result<bool> isHeldByNobody(const World& world, const kinds::VirtualMachineInstance& instance) {
  // From the hand-off on there may be a mover at work, which is not disturbed.
  if (!instance.moving() || !instance.status.migrationState->targetNode.empty()) return false;
  const std::string& holder = instance.status.migrationState->migrationUid;
  const auto known = world.migrations.by(index::kByInstance, object::show(instance.metadata.key()));
  if (std::any_of(known.begin(), known.end(), [&](const auto& one) { return one->metadata.uid == holder; }))
    return false;
  const std::string& nameSpace = instance.metadata.nameSpace;
  const auto migrations = TRY(world.client.list(schema::kind<kinds::VirtualMachineInstanceMigration>,
                                                {.nameSpace = nameSpace, .labelSelector = "", .fieldSelector = ""}));
  if (std::any_of(migrations.items.begin(), migrations.items.end(), [&](const object::Document& one) {
        return object::textAt(one, {"metadata", "uid"}) == holder;
      }))
    return false;
  const auto pods = TRY(world.client.list(
      schema::kind<kinds::Pod>, {.nameSpace = nameSpace,
                                 .labelSelector = fmt::format("{}={}", kinds::words::kMigrationJobUid, holder),
                                 .fieldSelector = ""}));
  return pods.items.empty();
}

kinds::VirtualMachineInstance released(kinds::VirtualMachineInstance instance, Timestamp now) {
  auto& state = *instance.status.migrationState;
  state.completed = true;
  state.failed = true;
  state.endTimestamp = now;
  state.failureReason = "MigrationGone: the migration was deleted before the guest began to move";
  instance.status.migrationNodeName.clear();
  instance.status.migratedVolumes.clear();
  return instance;
}

}  // namespace godwit::controllers::virtual_machine_instance
