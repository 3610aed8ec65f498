#include "controllers/volume_migration/reconciler.hpp"

#include <fmt/format.h>

#include "controllers/claim_names.hpp"
#include "controllers/owner.hpp"
#include "kinds/expansion.hpp"
#include "kinds/overhead.hpp"

namespace godwit::controllers::volume_migration {
namespace {

std::vector<kinds::MigratedClaim> claimsOf(const kinds::VolumeMigration& wish) {
  std::vector<kinds::MigratedClaim> claims;
  for (const kinds::MigratedVolume& volume : wish.spec.migratedVolume)
    claims.push_back({volume.sourceClaim, volume.destinationClaim});
  return claims;
}

std::string migrationName(const kinds::VolumeMigration& wish) {
  return fmt::format("{}-{}", wish.metadata.name, wish.metadata.uid.substr(0, 8));
}

Observed::Migration describe(const kinds::VirtualMachineInstanceMigration& migration) {
  const auto phase = migration.status.phase;
  return {.begun = phase > kinds::MigrationPhase::Pending,
          .succeeded = phase == kinds::MigrationPhase::Succeeded,
          .failed = phase == kinds::MigrationPhase::Failed,
          .message = migration.status.godwit.reason + ": " + migration.status.godwit.message};
}

// How large a disk can be on the claim: on the volume it got, or on the one it asks for until it is bound.
std::int64_t roomFor(const World& world, const kinds::PersistentVolumeClaim& claim) {
  if (const auto volume = world.volumes.get({"", claim.spec.volumeName})) return kinds::roomOn(*volume);
  return kinds::roomAskedFor(claim, world.classes.get({"", claim.spec.storageClassName}).get());
}

// How large the disk on the claim is.
std::int64_t bytesOn(const World& world, const kinds::PersistentVolumeClaim& claim) {
  const auto volume = world.volumes.get({"", claim.spec.volumeName});
  return volume ? kinds::sizeOf(*volume) : roomFor(world, claim);
}

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  const auto enqueueAll = [&](const char* index, const std::string& value) {
    for (const auto& wish : world.volumeMigrations.by(index, value)) controller.enqueue(wish->metadata.key());
  };
  controller.follow(world.volumeMigrations);
  world.migrations.onChange([&](const auto* before, const auto* after) {
    const auto& metadata = (after ? after : before)->metadata;
    for (const auto& owner : metadata.ownerReferences)
      if (owner.kind == schema::kind<kinds::VolumeMigration>.name) controller.enqueue({metadata.nameSpace, owner.name});
  });
  world.instances.onChange(
      [enqueueAll](const kinds::VirtualMachineInstance* before, const kinds::VirtualMachineInstance* after) {
        enqueueAll(index::kByInstance, object::show((after ? after : before)->metadata.key()));
        for (const auto* instance : {before, after})
          if (instance)
            for (const std::string& claim : claimsUsedBy(*instance)) enqueueAll(index::kByClaim, claim);
      });
  world.claims.onChange(
      [enqueueAll](const kinds::PersistentVolumeClaim* before, const kinds::PersistentVolumeClaim* after) {
        enqueueAll(index::kByClaim, object::show((after ? after : before)->metadata.key()));
      });
  world.machines.onChange([enqueueAll](const kinds::VirtualMachine* before, const kinds::VirtualMachine* after) {
    enqueueAll(index::kByInstance, object::show((after ? after : before)->metadata.key()));
  });
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  auto wish = world_.volumeMigrations.get(key);
  if (!wish) return control::Again{};
  const Scene scene = TRY(observe(std::move(wish)));
  const Step step = decide(scene.observed);
  TRY(record(scene, step));
  TRY(perform(scene, dutyOf(step.phase, scene.observed)));
  return control::Again{};
}

Result<Reconciler::Scene> Reconciler::observe(std::shared_ptr<const kinds::VolumeMigration> wish) const {
  Scene scene{.wish = wish, .verdict = {}, .migration = {}, .machine = {}, .observed = {}};
  Observed& seen = scene.observed;
  const std::string& nameSpace = wish->metadata.nameSpace;
  seen.phase = wish->status.phase;
  seen.reason = wish->status.godwit.reason;
  seen.beingDeleted = wish->metadata.beingDeleted();
  if (seen.phase == Phase::Unset || seen.phase == Phase::Pending) {
    std::vector<Candidate> candidates;
    for (const kinds::MigratedVolume& volume : wish->spec.migratedVolume)
      candidates.push_back(TRY(candidate(nameSpace, volume)));
    scene.verdict = validate(candidates);
    seen.rejected = scene.verdict.anyRejected();
    seen.allValid = scene.verdict.allValid();
    return scene;
  }
  scene.migration = TRY(findSurely(world_, world_.migrations, {nameSpace, migrationName(*wish)}));
  if (scene.migration) seen.migration = describe(*scene.migration);
  const object::Key name = {nameSpace, wish->status.virtualMachineInstanceName};
  const auto instance = TRY(findSurely(world_, world_.instances, name));
  scene.machine = TRY(findSurely(world_, world_.machines, name));
  const auto claims = claimsOf(*wish);
  seen.instanceMoved = instance && usesDestinations(instance->spec.allVolumes(), claims);
  seen.machineFollowed = !scene.machine || usesDestinations(scene.machine->spec.instance.spec.allVolumes(), claims);
  return scene;
}

Result<Candidate> Reconciler::candidate(const std::string& nameSpace, const kinds::MigratedVolume& volume) const {
  Candidate found{.volume = volume, .instance = {}};
  for (const auto& instance : world_.instances.by(index::kByClaim, object::show({nameSpace, volume.sourceClaim})))
    if (!kinds::isFinal(instance->status.phase)) found.instance = instance;
  for (const auto& instance : world_.instances.by(index::kByClaim, object::show({nameSpace, volume.destinationClaim})))
    if (!kinds::isFinal(instance->status.phase)) found.destinationInUse = true;
  const auto source = TRY(findSurely(world_, world_.claims, {nameSpace, volume.sourceClaim}));
  const auto destination = TRY(findSurely(world_, world_.claims, {nameSpace, volume.destinationClaim}));
  found.destinationExists = destination != nullptr;
  found.destinationLeaving = destination && destination->metadata.beingDeleted();
  if (source) found.sourceBytes = bytesOn(world_, *source);
  if (destination) found.destinationBytes = roomFor(world_, *destination);
  return found;
}

Result<> Reconciler::record(const Scene& scene, const Step& step) const {
  const auto& before = *scene.wish;
  auto after = before;
  auto& status = after.status;
  status.godwit.reason = step.reason;
  if (scene.observed.migration && scene.observed.migration->failed)
    status.godwit.message = scene.observed.migration->message;
  if (scene.migration) status.godwit.mechanism = scene.migration->status.godwit.mechanism;
  if (!scene.verdict.states.empty()) status.volumeMigrationStates = scene.verdict.states;
  if (step.phase != before.status.phase) {
    status.phase = step.phase;
    status.phaseTransitionTimestamps.push_back({std::string(schema::nameOf(step.phase)), world_.clock.now()});
    if (step.phase == Phase::Scheduling) {
      status.virtualMachineInstanceName = scene.verdict.instanceName;
      status.virtualMachineMigrationName = migrationName(before);
    }
    if (step.phase == Phase::Running) status.startTimestamp = world_.clock.now();
    if (kinds::isFinal(step.phase)) status.endTimestamp = world_.clock.now();
  }
  TRY(world_.client.changeStatus(before, after));
  return {};
}

Result<> Reconciler::perform(const Scene& scene, Duty duty) const {
  switch (duty) {
    case Duty::Rest:
      return {};
    case Duty::CreateMigration:
      return createMigration(scene);
    case Duty::UpdateMachine:
      return updateMachine(scene);
    case Duty::ReclaimSources:
      return reclaimSources(scene);
  }
  __builtin_unreachable();
}

Result<> Reconciler::createMigration(const Scene& scene) const {
  const auto& wish = *scene.wish;
  // Which instance it is stands on record first, and is read from there.
  if (wish.status.virtualMachineInstanceName.empty()) return {};
  // A cache may not have seen this controller's own last word yet; what was given up must not be begun anew.
  const auto fresh = TRY(world_.client.find<kinds::VolumeMigration>(wish.metadata.key()));
  if (!fresh || fresh->status.phase != wish.status.phase || fresh->metadata.beingDeleted()) return {};
  kinds::VirtualMachineInstanceMigration migration;
  migration.metadata.name = migrationName(wish);
  migration.metadata.nameSpace = wish.metadata.nameSpace;
  migration.metadata.ownerReferences = {ownerReference(wish)};
  migration.spec.vmiName = wish.status.virtualMachineInstanceName;
  migration.spec.migratedVolumes = claimsOf(wish);
  migration.spec.mechanism = wish.spec.mechanism;
  migration.spec.priority = kinds::MigrationPriority::UserTriggered;
  return world_.client.ensure(migration);
}

// The VM's spec follows its instance, so that its next start finds the data.
Result<> Reconciler::updateMachine(const Scene& scene) const {
  const auto& kind = schema::kind<kinds::VirtualMachine>;
  const object::Document before = TRY(world_.client.get(kind, scene.machine->metadata.key()));
  object::Document after = before;
  json::value* wanted = after["spec"].as_object().if_contains("template");
  if (!wanted) return fail(Code::Invalid, "the VM has no template");
  renameClaims(wanted->as_object()["spec"], claimsOf(*scene.wish));
  json::object patch = object::mergePatchBetween(before, after);
  if (patch.empty()) return {};
  patch["metadata"] = json::object{{"resourceVersion", object::textAt(before, {"metadata", "resourceVersion"})}};
  TRY(world_.client.mergePatch(kind, scene.machine->metadata.key(), patch));
  return {};
}

Result<> Reconciler::reclaimSources(const Scene& scene) const {
  const auto& wish = *scene.wish;
  if (wish.status.phase != Phase::Succeeded) return {};  // on record first, and seen there
  for (const kinds::MigratedVolume& volume : wish.spec.migratedVolume) {
    if (volume.sourceReclaimPolicy != kinds::SourceReclaimPolicy::Delete) continue;
    const object::Key key = {wish.metadata.nameSpace, volume.sourceClaim};
    const auto claim = TRY(findSurely(world_, world_.claims, key));
    // A claim of the same name that was made afterwards is somebody's new data.
    const bool theOneThatMoved = claim && claim->metadata.creationTimestamp < wish.status.endTimestamp;
    if (theOneThatMoved && !claim->metadata.beingDeleted()) TRY(world_.client.remove(*claim));
  }
  return {};
}

}  // namespace godwit::controllers::volume_migration
