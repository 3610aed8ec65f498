#include "controllers/volume_update/reconciler.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "controllers/claim_names.hpp"
#include "controllers/new_migration.hpp"
#include "controllers/volume_migration/candidates.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::volume_update {
namespace {

namespace words = kinds::words;

using Instance = kinds::VirtualMachineInstance;
using Machine = kinds::VirtualMachine;
using Migration = kinds::VirtualMachineInstanceMigration;

// Attempts of one edit share it.
constexpr const char* kPurpose = "godwit.io/volume-update";
constexpr std::size_t kLongestLabel = 63;

bool wantsMigration(const Machine& machine) {
  return machine.spec.updateVolumesStrategy == kinds::update_strategy::kMigration && !machine.metadata.beingDeleted();
}

std::vector<kinds::MigratedVolumeStatus> changesAskedFor(const Machine& machine, const Instance& instance) {
  return wantsMigration(machine) ? changedClaims(machine.spec.instance.spec, volumesInUse(instance.spec))
                                 : std::vector<kinds::MigratedVolumeStatus>();
}

std::vector<kinds::MigratedVolumeStatus> changesOnRecord(const Machine& machine) {
  const auto& update = machine.status.volumeUpdateState;
  if (!update || !update->volumeMigrationState) return {};
  return update->volumeMigrationState->migratedVolumes;
}

std::vector<kinds::MigratedClaim> claimsIn(const std::vector<kinds::MigratedVolumeStatus>& changes) {
  std::vector<kinds::MigratedClaim> moved;
  for (const kinds::MigratedVolumeStatus& change : changes)
    moved.push_back({change.sourcePVCInfo.claimName, change.destinationPVCInfo.claimName});
  return moved;
}

bool isVolumeUpdate(const Migration& migration) {
  return migration.metadata.labels.contains(std::string(words::kVolumeUpdate));
}

// One sort of volumes that cannot move, as KubeVirt lists them.
std::string listed(std::string_view sort, const std::vector<std::string>& volumes) {
  return volumes.empty() ? "" : fmt::format(" {}: [{}]", sort, fmt::join(volumes, " "));
}

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  controller.follow(world.machines);
  controller.follow(world.instances);
  world.migrations.onChange([&](const Migration* before, const Migration* after) {
    const Migration& migration = after ? *after : *before;
    controller.enqueue({migration.metadata.nameSpace, migration.spec.vmiName});
  });
  world.volumeMigrations.onChange([&](const kinds::VolumeMigration* before, const kinds::VolumeMigration* after) {
    const kinds::VolumeMigration& wish = after ? *after : *before;
    controller.enqueue({wish.metadata.nameSpace, wish.status.virtualMachineInstanceName});
  });
  const auto enqueueUsersOf = [&](const object::Key& claim) {
    for (const auto& machine : world.machines.by(index::kByClaim, object::show(claim)))
      controller.enqueue(machine->metadata.key());
  };
  world.claims.onChange([enqueueUsersOf](const auto* before, const auto* after) {
    enqueueUsersOf((after ? after : before)->metadata.key());
  });
  world.dataVolumes.onChange([enqueueUsersOf](const auto* before, const auto* after) {
    enqueueUsersOf((after ? after : before)->metadata.key());
  });
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  const auto machine = world_.machines.get(key);
  const auto instance = world_.instances.get(key);
  if (!machine || !instance) return control::Again{};
  const Scene scene = TRY(observe(machine, instance));
  const Step step = decide(scene.observed);
  TRY(record(scene, step));
  if (scene.observed.asked) TRY(number(world_, scene.ours, step.duty == Duty::Wait));
  TRY(perform(scene, step.duty));
  if (step.duty != Duty::Wait) return control::Again{};
  return control::Again{.after = patience(scene.observed.failures.count) - scene.observed.failures.sinceLast};
}

Result<Reconciler::Scene> Reconciler::observe(std::shared_ptr<const Machine> machine,
                                              std::shared_ptr<const Instance> instance) const {
  Scene scene{.machine = std::move(machine),
              .instance = std::move(instance),
              .changes = {},
              .purpose = {},
              .ours = {},
              .all = {},
              .observed = {}};
  scene.changes = changesAskedFor(*scene.machine, *scene.instance);
  Observed& seen = scene.observed;
  seen.asked = !scene.changes.empty();
  seen.runs = scene.instance->status.phase == kinds::InstancePhase::Running &&
              !scene.instance->metadata.beingDeleted() && !scene.instance->toBePaused();
  if (seen.asked) TRY(judge(scene));
  observeMigrations(scene);
  return scene;
}

void Reconciler::observeMigrations(Scene& scene) const {
  Observed& seen = scene.observed;
  const std::string key = object::show(scene.machine->metadata.key());
  bool held = false;  // by a migration of ours
  for (const auto& migration : world_.migrations.by(index::kByInstance, key)) {
    const bool over = kinds::isFinal(migration->status.phase);
    if (!isVolumeUpdate(*migration)) {
      seen.othersMove = seen.othersMove || !over;
      continue;
    }
    if (!over) {
      held = seen.underWay = true;
      seen.sameClaims = migration->spec.migratedVolumes == claimsIn(scene.changes);
      seen.arrived = usesDestinations(scene.instance->spec.allVolumes(), migration->spec.migratedVolumes);
    }
    scene.all.push_back(migration);
    if (object::valueOf(migration->metadata.annotations, kPurpose) == scene.purpose) scene.ours.push_back(migration);
  }
  seen.othersMove = seen.othersMove || (scene.instance->moving() && !held) ||
                    !world_.volumeMigrations.by(index::kByInstance, key).empty();
  sortByNumber(scene.ours);
  sortByNumber(scene.all);
  seen.failures = failuresAtTheEnd(scene.ours, world_.clock.now());
}

// What speaks against it; and what the attempts are for: another guest, edit or claim, or a word of the claim's owner,
// is a new purpose.
Result<> Reconciler::judge(Scene& scene) const {
  Observed& seen = scene.observed;
  seen.onRecord = changesOnRecord(*scene.machine) == scene.changes;
  scene.purpose = fmt::format("{}-{}", scene.instance->metadata.uid.substr(0, 8), scene.machine->metadata.generation);
  std::vector<std::string> filesystems, shareable, luns, missing;
  for (const kinds::MigratedVolumeStatus& change : scene.changes) {
    const kinds::MigratedVolume volume{change.sourcePVCInfo.claimName, change.destinationPVCInfo.claimName};
    const auto candidate = TRY(volume_migration::candidateFor(world_, {scene.machine->metadata}, volume));
    const auto use = volume_migration::objectionToUse(candidate);
    if (use == volume_migration::reason::kFilesystem) filesystems.push_back(change.volumeName);
    if (use == volume_migration::reason::kShareable) shareable.push_back(change.volumeName);
    if (use == volume_migration::reason::kLun) luns.push_back(change.volumeName);
    if (!candidate.destination.exists)
      missing.push_back(volume.destinationClaim);
    else if (seen.objection.empty())
      seen.objection = volume_migration::objectionTo(candidate);
    if (seen.unfilled.empty()) seen.unfilled = candidate.destination.unfilled;
    const auto claim = world_.claims.get({scene.machine->metadata.nameSpace, volume.destinationClaim});
    if (claim)
      scene.purpose += fmt::format("-{}{}", claim->metadata.uid.substr(0, 8),
                                   object::valueOf(claim->metadata.annotations, words::kOverwrite));
  }
  seen.unmovable = listed("filesystems", filesystems) + listed("shareable", shareable) + listed("luns", luns);
  seen.missing = fmt::format("{}", fmt::join(missing, ", "));
  return {};
}

Result<> Reconciler::record(const Scene& scene, const Step& step) const {
  const Instance& before = *scene.instance;
  Instance after = before;
  const kinds::Condition* said = kinds::findCondition(before.status.conditions, words::kVolumesChange);
  // That a change was cancelled stays on record until there is another one.
  if (step.status.empty() && said && said->reason != kCancellation)
    kinds::dropCondition(after.status.conditions, words::kVolumesChange);
  if (!step.status.empty())
    kinds::setCondition(after.status.conditions,
                        {.type = std::string(words::kVolumesChange),
                         .status = std::string(step.status),
                         .reason = std::string(step.reason),
                         .message = explain(step, scene.observed),
                         .lastTransitionTime = {}},
                        world_.clock.now());
  if (after == before) return {};
  TRY(world_.client.changeStatus(before, after));
  if (!step.status.empty() && (!said || said->reason != step.reason))
    world_.recorder.record(*scene.machine,
                           step.status == "True" ? control::Recorder::Type::Normal : control::Recorder::Type::Warning,
                           std::string(step.reason), explain(step, scene.observed));
  return {};
}

Result<> Reconciler::perform(const Scene& scene, Duty duty) const {
  switch (duty) {
    case Duty::Rest:
    case Duty::Wait:
      return {};
    case Duty::Begin:
      return begin(scene);
    case Duty::CallOff:
      return callOff(scene);
  }
  __builtin_unreachable();
}

// Caches may be late: what the server itself says must ask for the same, or a move would be undone that has just been
// made. The name follows from the last one that was there when this was decided, so that nobody makes two.
Result<> Reconciler::begin(const Scene& scene) const {
  const object::Key key = scene.machine->metadata.key();
  const auto machine = TRY(world_.client.find<Machine>(key));
  const auto instance = TRY(world_.client.find<Instance>(key));
  if (!machine || !instance || instance->metadata.uid != scene.instance->metadata.uid || instance->moving()) return {};
  if (changesAskedFor(*machine, *instance) != scene.changes || changesOnRecord(*machine) != scene.changes) return {};
  auto migration = newMigration(key.nameSpace,
                                fmt::format("kubevirt-workload-update-{}-{}-{}", key.name,
                                            instance->metadata.uid.substr(0, 8), nextNumber(scene.all)),
                                key.name);
  migration.metadata.labels[std::string(words::kVolumeUpdate)] =
      key.name.size() <= kLongestLabel ? key.name : instance->metadata.uid;
  migration.metadata.annotations[kPurpose] = scene.purpose;
  migration.spec.migratedVolumes = claimsIn(scene.changes);
  migration.spec.priority = kinds::MigrationPriority::UserTriggered;
  return world_.client.ensure(migration);
}

Result<> Reconciler::callOff(const Scene& scene) const {
  for (const auto& migration : world_.migrations.by(index::kByInstance, object::show(scene.machine->metadata.key())))
    if (isVolumeUpdate(*migration) && !kinds::isFinal(migration->status.phase) && !migration->metadata.beingDeleted())
      TRY(world_.client.remove(*migration));
  return {};
}

}  // namespace godwit::controllers::volume_update
