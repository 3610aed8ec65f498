#include "controllers/volume_migration/reconciler.hpp"

#include <fmt/format.h>

#include "controllers/claim_names.hpp"
#include "controllers/migration/decide.hpp"
#include "controllers/new_migration.hpp"
#include "controllers/owner.hpp"
#include "controllers/volume_migration/destinations.hpp"
#include "controllers/volume_migration/offline/course.hpp"
#include "controllers/volume_migration/record.hpp"

namespace godwit::controllers::volume_migration {
namespace {

std::string migrationName(const kinds::VolumeMigration& wish) {
  return fmt::format("{}-{}", wish.metadata.name, wish.metadata.uid.substr(0, 8));
}

Observed::Migration describe(const kinds::VirtualMachineInstanceMigration& migration,
                             const kinds::VolumeMigration& wish) {
  const auto phase = migration.status.phase;
  return {.begun = phase > kinds::MigrationPhase::Pending,
          .succeeded = phase == kinds::MigrationPhase::Succeeded,
          .failed = phase == kinds::MigrationPhase::Failed,
          .outcomeUnknown = migration::isOpen(migration.status.godwit.reason),
          .optionsDiffer = !kinds::isFinal(phase) && migration.spec.options != wish.spec.options,
          .message = migration.status.godwit.reason + ": " + migration.status.godwit.message};
}

// Null when it has not begun.
const kinds::DiskVerification* verificationOf(const kinds::VirtualMachineInstanceMigration& migration,
                                              const std::string& claim) {
  if (!migration.status.godwit.progress) return nullptr;
  for (const kinds::DiskVerification& one : migration.status.godwit.progress->verification)
    if (one.claim == claim) return &one;
  return nullptr;
}

bool isUnreachable(const kinds::VirtualMachineInstance& instance) {
  const kinds::Condition* ready = kinds::findCondition(instance.status.conditions, "Ready");
  return ready && ready->status == "Unknown";
}

// Null when there is none.
Result<std::shared_ptr<const kinds::VirtualMachineInstance>> instanceOnServer(const World& world,
                                                                              const object::Key& name) {
  auto found = TRY(world.client.find<kinds::VirtualMachineInstance>(name));
  return found ? std::make_shared<const kinds::VirtualMachineInstance>(std::move(*found)) : nullptr;
}

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  const auto enqueueAll = [&](const char* index, const std::string& value) {
    for (const auto& wish : world.volumeMigrations.by(index, value)) controller.enqueue(wish->metadata.key());
  };
  const auto ownedChanged = [&](const auto* before, const auto* after) {
    const auto& metadata = (after ? after : before)->metadata;
    for (const auto& owner : metadata.ownerReferences)
      if (owner.kind == schema::kind<kinds::VolumeMigration>.name) controller.enqueue({metadata.nameSpace, owner.name});
  };
  controller.follow(world.volumeMigrations);
  world.migrations.onChange([ownedChanged, enqueueAll](const auto* before, const auto* after) {
    ownedChanged(before, after);
    // One that waits for a guest ends what its volumes are kept in sync for.
    if (!before) enqueueAll(index::kByInstance, object::show({after->metadata.nameSpace, after->spec.vmiName}));
  });
  world.pods.onChange(ownedChanged);
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
  // The claim of a DataVolume has its name.
  world.dataVolumes.onChange([enqueueAll](const kinds::DataVolume* before, const kinds::DataVolume* after) {
    enqueueAll(index::kByClaim, object::show((after ? after : before)->metadata.key()));
  });
  world.machines.onChange([enqueueAll](const kinds::VirtualMachine* before, const kinds::VirtualMachine* after) {
    enqueueAll(index::kByInstance, object::show((after ? after : before)->metadata.key()));
    for (const auto* machine : {before, after})
      if (machine)
        for (const std::string& claim : claimsUsedBy(*machine)) enqueueAll(index::kByClaim, claim);
  });
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  auto wish = world_.volumeMigrations.get(key);
  if (!wish) return control::Again{};
  if (wish->spec.mechanism == kinds::Mechanism::Offline) return offline::Course(world_).goOn(*wish);
  const Scene scene = TRY(observe(std::move(wish)));
  const Step step = decide(scene.observed);
  TRY(record(scene, step));
  TRY(perform(scene, dutyOf(step.phase, scene.observed)));
  TRY(way_back::perform(world_, *scene.wish, scene.back));
  return control::Again{.after = way_back::timeLeft(scene.wish->status, world_.clock.now())};
}

Result<Reconciler::Scene> Reconciler::observe(std::shared_ptr<const kinds::VolumeMigration> wish) const {
  Scene scene{.wish = wish, .verdict = {}, .migration = {}, .observed = {}};
  Observed& seen = scene.observed;
  const std::string& nameSpace = wish->metadata.nameSpace;
  seen.phase = wish->status.phase;
  seen.reason = wish->status.godwit.reason;
  seen.beingDeleted = wish->metadata.beingDeleted();
  if (seen.phase == Phase::Unset || seen.phase == Phase::Pending) {
    std::vector<Candidate> candidates;
    for (const kinds::MigratedVolume& volume : volumesOf(*wish))
      candidates.push_back(TRY(candidateFor(world_, askerOf(*wish), volume)));
    scene.verdict = validate(candidates);
    seen.rejected = scene.verdict.anyRejected();
    seen.allValid = scene.verdict.allValid();
    return scene;
  }
  scene.migration = TRY(findSurely(world_, world_.migrations, {nameSpace, migrationName(*wish)}));
  if (scene.migration) seen.migration = describe(*scene.migration, *wish);
  const object::Key name = {nameSpace, wish->status.virtualMachineInstanceName};
  // A migration that is gone may have moved the guest just before, and the cache may know only half of that.
  const auto instance =
      scene.migration ? TRY(findSurely(world_, world_.instances, name)) : TRY(instanceOnServer(world_, name));
  const auto machine = TRY(findSurely(world_, world_.machines, name));
  const auto claims = claimsOf(*wish);
  seen.instanceMoved = instance && usesDestinations(instance->spec.allVolumes(), claims);
  seen.instanceUnreachable = instance && isUnreachable(*instance);
  seen.machineFollowed = !machine || !usesSources(machine->spec.instance.spec.allVolumes(), claims);
  seen.rollBack = wish->spec.rollBack;
  if (wish->spec.keepInSync.empty() || kinds::isFinal(seen.phase)) return scene;
  scene.back = {instance, machine,
                TRY(findSurely(world_, world_.migrations, {nameSpace, way_back::migrationName(*wish)}))};
  scene.backObserved = way_back::observe(world_, *wish, scene.back, seen.instanceMoved && seen.machineFollowed);
  seen.wayBack = way_back::decide(scene.backObserved).phase;
  return scene;
}

Result<> Reconciler::record(const Scene& scene, const Step& step) const {
  kinds::VolumeMigrationStatus status = scene.wish->status;
  if (scene.observed.migration && scene.observed.migration->failed)
    status.godwit.message = scene.observed.migration->message;
  if (scene.migration) {
    status.godwit.mechanism = scene.migration->status.godwit.mechanism;
    status.godwit.progress = scene.migration->status.godwit.progress;
    status.godwit.failure = scene.migration->status.godwit.failure;
    status.godwit.machinePatch = scene.migration->status.godwit.machinePatch;
  }
  for (kinds::VolumeMigrationState& state : status.volumeMigrationStates)
    if (const auto* verification = scene.migration ? verificationOf(*scene.migration, state.sourceClaim) : nullptr)
      state.verification = *verification;
  if (scene.back.migration && !kinds::isFinal(scene.back.migration->status.phase))
    status.godwit.progress = scene.back.migration->status.godwit.progress;
  way_back::note(status, *scene.wish, scene.backObserved, world_.clock.now());
  if (status.wayBack && !kinds::isFinal(scene.wish->status.phase)) status.godwit.message = status.wayBack->message;
  if (!scene.verdict.states.empty()) {
    status.volumeMigrationStates = scene.verdict.states;
    status.godwit.message = scene.verdict.complaint();
  }
  if (step.phase == Phase::Scheduling && status.virtualMachineInstanceName.empty()) {
    status.virtualMachineInstanceName = scene.verdict.instanceName;
    status.virtualMachineMigrationName = migrationName(*scene.wish);
  }
  return putOnRecord(world_, *scene.wish, std::move(status), step);
}

Result<> Reconciler::perform(const Scene& scene, Duty duty) const {
  switch (duty) {
    case Duty::Rest:
      return {};
    case Duty::CreateMigration:
      return createMigration(scene);
    case Duty::CancelMigration:
      return scene.migration ? world_.client.remove(*scene.migration) : Result<>();
    case Duty::TellOptions:
      return tellOptions(scene);
    case Duty::ReclaimSources:
      TRY(reclaimSources(world_, *scene.wish));
      return release(world_, *scene.wish);
    case Duty::RemoveDestinations:
      TRY(removeDestinations(world_, *scene.wish));
      return release(world_, *scene.wish);
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
  TRY(makeDestinations(world_, wish));
  auto migration = newMigration(wish.metadata.nameSpace, migrationName(wish), wish.status.virtualMachineInstanceName);
  migration.metadata.ownerReferences = {ownerReference(wish)};
  migration.spec.migratedVolumes = claimsOf(wish);
  migration.spec.mechanism = wish.spec.keepInSync.empty() ? wish.spec.mechanism : kinds::Mechanism::InPlace;
  migration.spec.verify = wish.spec.verify;
  migration.spec.options = wish.spec.options;
  migration.spec.priority = kinds::MigrationPriority::UserTriggered;
  return world_.client.ensure(migration);
}

Result<> Reconciler::tellOptions(const Scene& scene) const {
  auto after = *scene.migration;
  after.spec.options = scene.wish->spec.options;
  TRY(world_.client.change(*scene.migration, after));
  return {};
}

}  // namespace godwit::controllers::volume_migration
