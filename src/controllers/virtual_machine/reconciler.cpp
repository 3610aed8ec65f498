#include "controllers/virtual_machine/reconciler.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "controllers/claim_names.hpp"
#include "controllers/migration/decide.hpp"
#include "controllers/virtual_machine/describe.hpp"
#include "controllers/virtual_machine/perform.hpp"
#include "controllers/virtual_machine_instance/decide.hpp"
#include "kinds/claim_use.hpp"

namespace godwit::controllers::virtual_machine {
namespace {

using namespace std::chrono_literals;
using kinds::InstancePhase;

// How long the instance has run, or ran until it ended.
Duration timeRun(const kinds::VirtualMachineInstance& instance, Timestamp now) {
  const auto entered = [&](InstancePhase phase) {
    return kinds::enteredAt(instance.status.phaseTransitionTimestamps, schema::nameOf(phase));
  };
  const auto started = entered(InstancePhase::Running);
  if (!started) return {};
  return (kinds::isFinal(instance.status.phase) ? entered(instance.status.phase).value_or(now) : now) - *started;
}

bool volumesMove(const World& world, const object::Key& machine) {
  const auto migrations = world.migrations.by(index::kByInstance, object::show(machine));
  return !world.volumeMigrations.by(index::kByInstance, object::show(machine)).empty() ||
         std::any_of(migrations.begin(), migrations.end(), [](const auto& one) { return mayMoveVolumes(*one); });
}

// What is said of a move that may not end by itself.
std::string outcomeOpen(const World& world, const object::Key& machine) {
  for (const auto& migration : world.migrations.by(index::kByInstance, object::show(machine)))
    if (mayMoveVolumes(*migration) && migration::isOpen(migration->status.godwit.reason))
      return fmt::format("migration {}: {}", migration->metadata.name, migration->status.godwit.message);
  return "";
}

bool isLeftBehind(const World& world, const kinds::VirtualMachineInstance& instance) {
  const auto names = kinds::claimNamesOf(instance);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    const auto claim = world.claims.get({instance.metadata.nameSpace, name});
    return claim && kinds::isLeftBehind(instance, *claim);
  });
}

Observed::Instance observe(const World& world, const kinds::VirtualMachineInstance& instance, Timestamp now) {
  return {.phase = instance.status.phase,
          .beingDeleted = instance.metadata.beingDeleted(),
          .moving = instance.moving(),
          .volumesUnfilled = instance.status.reason == virtual_machine_instance::kWaitingForDataVolume,
          .uid = instance.metadata.uid,
          .ran = timeRun(instance, now),
          .volumesMoving = volumesMove(world, instance.metadata.key()),
          .paused = kinds::isTrue(instance.status.conditions, "Paused"),
          .unschedulable = instance.status.reason == "Unschedulable",
          .leftBehind = isLeftBehind(world, instance)};
}

bool isBeingCopied(const World& world, const kinds::VirtualMachine& machine) {
  for (const kinds::VolumeSpec& volume : machine.spec.instance.spec.allVolumes()) {
    const std::string claim = volume.claim();
    for (const auto& wish :
         world.volumeMigrations.by(index::kByClaim, object::show({machine.metadata.nameSpace, claim})))
      if (kinds::holdsClaim(*wish, claim)) return true;
  }
  return false;
}

// An instance may be the consumer that a DataVolume waits for; its node waits in turn until the volume is filled.
bool isUsable(kinds::DataVolumePhase phase) {
  return phase == kinds::DataVolumePhase::Succeeded || phase == kinds::DataVolumePhase::WaitForFirstConsumer;
}

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  controller.follow(world.machines);
  controller.follow(world.instances);
  world.claims.onChange([&](const auto* before, const auto* after) {
    const object::Key key = (after ? after : before)->metadata.key();
    for (const auto& instance : world.instances.by(index::kByClaim, object::show(key)))
      controller.enqueue(instance->metadata.key());
    for (const auto& machine : world.machines.by(index::kByData, object::show(key)))
      controller.enqueue(machine->metadata.key());
  });
  world.volumeMigrations.onChange([&](const auto* before, const auto* after) {
    const kinds::VolumeMigration& wish = after ? *after : *before;
    controller.enqueue({wish.metadata.nameSpace, wish.status.virtualMachineInstanceName});
    for (const kinds::VolumeMigrationState& state : wish.status.volumeMigrationStates)
      for (const std::string& claim : {state.sourceClaim, state.destinationClaim})
        for (const auto& machine : world.machines.by(index::kByClaim, object::show({wish.metadata.nameSpace, claim})))
          controller.enqueue(machine->metadata.key());
  });
  world.migrations.onChange([&](const auto* before, const auto* after) {
    const kinds::VirtualMachineInstanceMigration& migration = after ? *after : *before;
    if (!migration.spec.migratedVolumes.empty())
      controller.enqueue({migration.metadata.nameSpace, migration.spec.vmiName});
  });
  world.dataVolumes.onChange([&](const auto* before, const auto* after) {
    const auto& metadata = (after ? after : before)->metadata;
    for (const auto& owner : metadata.ownerReferences)
      if (owner.kind == schema::kind<kinds::VirtualMachine>.name) controller.enqueue({metadata.nameSpace, owner.name});
  });
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  const auto machine = world_.machines.get(key);
  if (!machine) return control::Again{};
  const auto instance = TRY(findSurely(world_, world_.instances, key));
  Observed observed{.strategy = machine->spec.strategy(),
                    .strategyBefore = machine->status.runStrategy,
                    .beingDeleted = machine->metadata.beingDeleted(),
                    .requests = machine->status.stateChangeRequests,
                    .failure = machine->status.startFailure,
                    .now = world_.clock.now()};
  if (instance) {
    observed.instance = observe(world_, *instance, observed.now);
    observed.instance->mayGoElsewhere = differInPlacement(machine->spec.instance.spec, instance->spec);
  }
  observed.volumes = TRY(volumesOf(*machine, instance.get()));
  const std::string recovery = TRY(recoveryNeeded(*machine, instance.get()));
  observed.dataMissing = !instance && !recovery.empty();
  const Step step = decide(observed);
  TRY(record(*machine, instance.get(), observed, step, recovery));
  TRY(perform(*machine, instance.get(), step.duty));
  const auto& failure = observed.failure;
  if (instance || !failure || !failure->retryAfterTimestamp) return control::Again{};
  return control::Again{.after = std::max<Duration>(*failure->retryAfterTimestamp - observed.now, 0s)};
}

// A guest that has started found its volumes.
Result<Observed::Volumes> Reconciler::volumesOf(const kinds::VirtualMachine& machine,
                                                const kinds::VirtualMachineInstance* instance) const {
  using Volumes = Observed::Volumes;
  if (instance && (instance->status.phase == InstancePhase::Running || kinds::isFinal(instance->status.phase)))
    return Volumes::Ready;
  const std::string& nameSpace = machine.metadata.nameSpace;
  if (isBeingCopied(world_, machine)) return Volumes::BeingCopied;
  for (const std::string& name : dataVolumeNames(machine)) {
    const auto volume = TRY(findSurely(world_, world_.dataVolumes, {nameSpace, name}));
    if (volume && volume->status.phase == kinds::DataVolumePhase::Failed) return Volumes::DataVolumeFailed;
    if (!volume || !isUsable(volume->status.phase)) return Volumes::Provisioning;
  }
  bool bound = true;
  for (const kinds::VolumeSpec& volume : machine.spec.instance.spec.allVolumes()) {
    if (volume.claim().empty()) continue;
    const auto claim = TRY(findSurely(world_, world_.claims, {nameSpace, volume.claim()}));
    if (!claim) return Volumes::ClaimMissing;
    bound = bound && claim->bound();
  }
  return bound ? Volumes::Ready : Volumes::Unbound;
}

// Volumes on their way are where they came from; if that is gone, a start would find something else in their place.
Result<std::string> Reconciler::recoveryNeeded(const kinds::VirtualMachine& machine,
                                               const kinds::VirtualMachineInstance* instance) const {
  if (instance) return outcomeOpen(world_, machine.metadata.key());
  const auto update = volumeUpdateAfter(machine, nullptr);
  if (!update) return "";
  for (const kinds::MigratedVolumeStatus& change : update->volumeMigrationState->migratedVolumes) {
    const std::string& source = change.sourcePVCInfo.claimName;
    const auto claim = TRY(findSurely(world_, world_.claims, {machine.metadata.nameSpace, source}));
    if (!claim || claim->metadata.beingDeleted())
      return fmt::format(
          "volume {0} was to move from claim {1} to {2} when the guest ended, and {1}, which has its data, {3}; bring "
          "it "
          "back, or remove spec.updateVolumesStrategy to start on {2} as it is",
          change.volumeName, source, change.destinationPVCInfo.claimName, claim ? "is being deleted" : "is gone");
  }
  return "";
}

Result<> Reconciler::record(const kinds::VirtualMachine& machine, const kinds::VirtualMachineInstance* instance,
                            const Observed& observed, const Step& step, const std::string& recovery) {
  auto after = machine;
  auto& status = after.status;
  const bool lives = instance && !kinds::isFinal(instance->status.phase);
  const std::string restart = lives && !instance->moving() ? restartReason(machine.spec, *instance) : "";
  status.printableStatus = step.printableStatus;
  status.created = instance != nullptr;
  status.startFailure = failureAfter(observed);
  status.stateChangeRequests = requestsAfter(observed);
  status.runStrategy = strategyAfter(observed);
  status.desiredGeneration = machine.metadata.generation;
  status.observedGeneration = restart.empty() ? machine.metadata.generation : kinds::generationOf(*instance);
  status.volumeUpdateState = volumeUpdateAfter(machine, instance);
  status.godwit.volumes = volumesAfter(machine, instance, step.printableStatus == "Stopped");
  describeConditions(status, machine.status, instance, {restart, recovery}, world_.clock.now());
  TRY(world_.client.changeStatus(machine, after));
  return {};
}

Result<> Reconciler::perform(const kinds::VirtualMachine& machine, const kinds::VirtualMachineInstance* instance,
                             Duty duty) {
  switch (duty) {
    case Duty::Rest:
      return {};
    case Duty::TurnOn:
      return turnOn(world_, machine);
    case Duty::MakeDataVolumes:
      return makeDataVolumes(world_, machine);
    case Duty::CreateInstance:
      return createInstance(world_, machine, startsPaused(machine.status.stateChangeRequests));
    case Duty::DeleteInstance:
      return instance ? world_.client.remove(*instance) : Result<>{};
    case Duty::PassOnPlacement:
      return passOnPlacement(world_, machine, *instance);
  }
  __builtin_unreachable();
}

}  // namespace godwit::controllers::virtual_machine
