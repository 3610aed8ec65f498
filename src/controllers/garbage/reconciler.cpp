#include "controllers/garbage/reconciler.hpp"

namespace godwit::controllers::garbage {
namespace {

// Whether the owner that `reference` names is there no more, as the server itself says.
template <class Owner>
Result<bool> isGone(const World& world, const std::string& nameSpace, const schema::OwnerReference& reference) {
  const auto owner = TRY(world.client.find<Owner>({nameSpace, reference.name}));
  return !owner || owner->metadata.uid != reference.uid;
}

Result<bool> ownerIsGone(const World& world, const std::string& nameSpace, const schema::OwnerReference& reference) {
  if (reference.kind == schema::kind<kinds::VirtualMachine>.name)
    return isGone<kinds::VirtualMachine>(world, nameSpace, reference);
  if (reference.kind == schema::kind<kinds::VirtualMachineInstance>.name)
    return isGone<kinds::VirtualMachineInstance>(world, nameSpace, reference);
  if (reference.kind == schema::kind<kinds::VolumeMigration>.name)
    return isGone<kinds::VolumeMigration>(world, nameSpace, reference);
  if (reference.kind == schema::kind<kinds::EarlyMigration>.name)
    return isGone<kinds::EarlyMigration>(world, nameSpace, reference);
  if (reference.kind == schema::kind<kinds::VirtualMachineInstanceMigration>.name)
    return isGone<kinds::VirtualMachineInstanceMigration>(world, nameSpace, reference);
  return false;
}

template <class T>
Result<> collect(const World& world, const client::Cache<T>& cache, const std::string& ownerUid) {
  for (const auto& dependent : cache.by(index::kByOwner, ownerUid)) {
    if (dependent->metadata.beingDeleted()) continue;
    for (const auto& reference : dependent->metadata.ownerReferences)
      if (reference.uid == ownerUid && TRY(ownerIsGone(world, dependent->metadata.nameSpace, reference)))
        TRY(world.client.remove(*dependent));
  }
  return {};
}

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  const auto ownerChanged = [&](const auto* before, const auto* after) {
    if (!after) controller.enqueue({"", before->metadata.uid});
  };
  world.machines.onChange(ownerChanged);
  world.earlyMigrations.onChange(ownerChanged);
  world.volumeMigrations.onChange(ownerChanged);
  // A dependent may be seen only after its owner has gone.
  const auto dependentChanged = [&](const auto* before, const auto* after) {
    if (!after) return controller.enqueue({"", before->metadata.uid});
    if (!before)
      for (const auto& owner : after->metadata.ownerReferences) controller.enqueue({"", owner.uid});
  };
  world.instances.onChange(dependentChanged);
  world.migrations.onChange(dependentChanged);
  world.pods.onChange(dependentChanged);
  world.dataVolumes.onChange(dependentChanged);
}

Result<control::Again> Reconciler::reconcile(const object::Key& ownerUid) {
  TRY(collect(world_, world_.instances, ownerUid.name));
  TRY(collect(world_, world_.migrations, ownerUid.name));
  TRY(collect(world_, world_.pods, ownerUid.name));
  TRY(collect(world_, world_.dataVolumes, ownerUid.name));
  return control::Again{};
}

}  // namespace godwit::controllers::garbage
