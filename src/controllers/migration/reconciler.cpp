#include "controllers/migration/reconciler.hpp"

#include <algorithm>

#include "controllers/dead_node.hpp"
#include "controllers/migration/perform.hpp"
#include "controllers/migration/pods.hpp"
#include "kinds/calling_off.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::migration {
namespace {

using namespace std::chrono_literals;

namespace words = kinds::words;

std::string unattachedOf(const kinds::VirtualMachineInstance& instance,
                         const std::vector<kinds::MigratedClaim>& moved) {
  const auto volumes = instance.spec.allVolumes();
  for (const kinds::MigratedClaim& claim : moved)
    if (std::none_of(volumes.begin(), volumes.end(), [&](const auto& v) { return v.claim() == claim.sourceClaim; }))
      return claim.sourceClaim;
  return "";
}

// The first destination that does not exist, as the server itself says.
Result<std::string> missingDestination(const World& world, const kinds::VirtualMachineInstanceMigration& migration) {
  for (const kinds::MigratedClaim& claim : migration.spec.migratedVolumes)
    if (!TRY(findSurely(world, world.claims, {migration.metadata.nameSpace, claim.destinationClaim})))
      return claim.destinationClaim;
  return "";
}

// A node that the cache has not seen yet may be the very one, so an obstacle counts once the server itself sees it.
Result<Prospect> surely(const World& world, const kinds::MigrationSpec& asked, const Instance& instance) {
  const Prospect cached = prospectOf(asked, instance, world.nodes.list());
  if (cached.obstacle == Obstacle::None) return cached;
  Nodes nodes;
  for (const auto& document : TRY(world.client.list(schema::kind<kinds::Node>)).items)
    nodes.push_back(std::make_shared<const kinds::Node>(schema::view<kinds::Node>(json::value(document))));
  return prospectOf(asked, instance, nodes);
}

// Whether a node that refuses the target now may well take it in a moment.
bool isUnsettled(const World& world, const Migration& migration, const Instance& instance) {
  const auto pods = world.pods.by(index::kByInstance, instance.metadata.uid);
  const bool leaving = std::any_of(pods.begin(), pods.end(), [&](const auto& pod) {
    const std::string& name = pod->metadata.name;
    return !pod->ended() && name != instance.status.godwit.activePod && name != targetName(migration);
  });
  const auto& moved = migration.spec.migratedVolumes;
  return leaving || std::any_of(moved.begin(), moved.end(), [&](const kinds::MigratedClaim& claims) {
           const auto claim = world.claims.get({migration.metadata.nameSpace, claims.destinationClaim});
           return !claim || !claim->bound();
         });
}

// An instance stays with a migration until that one has its own end on record, not only its work done.
bool heldByAnother(const World& world, const kinds::VirtualMachineInstance& instance,
                   const kinds::VirtualMachineInstanceMigration& migration) {
  const auto& state = instance.status.migrationState;
  if (!state || state->migrationUid == migration.metadata.uid) return false;
  if (!state->completed) return true;
  const auto rivals = world.migrations.by(index::kByInstance, object::show(instance.metadata.key()));
  return std::any_of(rivals.begin(), rivals.end(), [&](const auto& rival) {
    return rival->metadata.uid == state->migrationUid && !kinds::isFinal(rival->status.phase);
  });
}

bool isDead(const World& world, const object::Key& key) {
  const auto pod = world.pods.get(key);
  return pod && isLost(*pod);
}

Observed::Instance describe(const World& world, const kinds::VirtualMachineInstance& instance,
                            const kinds::VirtualMachineInstanceMigration& migration) {
  const auto& state = instance.status.migrationState;
  const bool ours = state && state->migrationUid == migration.metadata.uid;
  return {.running = instance.status.phase == kinds::InstancePhase::Running,
          .ended = kinds::isFinal(instance.status.phase) || instance.metadata.beingDeleted(),
          .heldByUs = ours,
          .heldByAnother = heldByAnother(world, instance, migration),
          .handedOff = ours && !state->targetNode.empty(),
          .paused = instance.toBePaused() || kinds::isTrue(instance.status.conditions, "Paused"),
          .handedOver = ours && state->completed && !state->failed,
          .dead = ours && isDead(world, {instance.metadata.nameSpace, state->sourcePod}),
          .unattachedClaim = unattachedOf(instance, migration.spec.migratedVolumes)};
}

Observed::TargetPod describeTarget(const World& world, const kinds::Pod& pod,
                                   const kinds::VirtualMachineInstance* instance) {
  const kinds::Condition* scheduled = kinds::findCondition(pod.status.conditions, "PodScheduled");
  const bool refused = scheduled && scheduled->status == "False" && pod.spec.nodeName.empty();
  const bool bound = !pod.spec.nodeName.empty();
  const bool dead = isLost(pod) || isOnDeadNode(world, pod);
  return {.bound = bound,
          .onSource = bound && instance && pod.spec.nodeName == instance->status.nodeName,
          .ready = pod.ready(),
          .failed = pod.ended() || pod.metadata.beingDeleted(),
          .unschedulable = refused,
          .ended = pod.ended(),
          .arrived = pod.status.reason == words::kGuestArrived,
          .onDeadNode = dead,
          .message = refused ? scheduled->message
                     : dead  ? nodeIsDead(pod.spec.nodeName)
                             : pod.status.message};
}

Observed::MoverPod describeMover(const World& world, const kinds::Pod& pod) {
  return {.succeeded = pod.status.phase == kinds::pod_phase::kSucceeded,
          .failed = pod.status.phase == kinds::pod_phase::kFailed,
          .lost = isLost(pod),
          .onDeadNode = !pod.ended() && isOnDeadNode(world, pod),
          .message = pod.status.reason + ": " + pod.status.message};
}

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  world.migrations.onChange([&](const Migration* before, const Migration* after) {
    const Migration& migration = after ? *after : *before;
    controller.enqueue(migration.metadata.key());
    // Whoever waits for the same instance may have its turn now.
    if (!after || kinds::isFinal(after->status.phase))
      for (const auto& other : world.migrations.by(
               index::kByInstance, object::show({migration.metadata.nameSpace, migration.spec.vmiName})))
        if (!kinds::isFinal(other->status.phase)) controller.enqueue(other->metadata.key());
  });
  world.instances.onChange([&](const Instance* before, const Instance* after) {
    const object::Key key = (after ? after : before)->metadata.key();
    for (const auto& migration : world.migrations.by(index::kByInstance, object::show(key)))
      controller.enqueue(migration->metadata.key());
  });
  world.pods.onChange([&](const kinds::Pod* before, const kinds::Pod* after) {
    const auto& metadata = (after ? after : before)->metadata;
    const auto name = metadata.annotations.find(std::string(words::kMigrationJobName));
    if (name != metadata.annotations.end()) controller.enqueue({metadata.nameSpace, name->second});
  });
  world.nodes.onChange([&](const kinds::Node* before, const kinds::Node* after) {
    if ((before && isOutOfService(*before)) == (after && isOutOfService(*after))) return;
    for (const auto& migration : world.migrations.list())
      if (!kinds::isFinal(migration->status.phase)) controller.enqueue(migration->metadata.key());
  });
}

// A phase is on record before its duty is done, so a crash can repeat a duty but never
// leave one unaccounted for.
Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  const auto scene = TRY(observe(key));
  if (!scene) return control::Again{};
  const Step step = decide(scene->observed);
  TRY(record(*scene, step));
  TRY(perform(*scene, dutyOf(step.phase, scene->observed)));
  if (kinds::isFinal(step.phase)) TRY(forgetOldest(world_, *scene->migration));
  // Only time itself ends a wait for a node.
  if (step.phase != MigrationPhase::Scheduling) return control::Again{};
  return control::Again{.after = scene->observed.restricted ? 1s : 10s};
}

Result<std::optional<Reconciler::Scene>> Reconciler::observe(const object::Key& key) const {
  Scene scene{.migration = world_.migrations.get(key), .instance = {}, .target = {}, .mover = {}, .observed = {}};
  if (!scene.migration) return std::nullopt;
  const Migration& migration = *scene.migration;
  const std::string& nameSpace = migration.metadata.nameSpace;
  scene.instance = TRY(findSurely(world_, world_.instances, {nameSpace, migration.spec.vmiName}));
  scene.target = TRY(findSurely(world_, world_.pods, {nameSpace, targetName(migration)}));
  scene.mover = TRY(findSurely(world_, world_.pods, {nameSpace, moverName(migration)}));

  Observed& seen = scene.observed;
  seen.phase = migration.status.phase;
  seen.reason = migration.status.godwit.reason;
  seen.cancelRequested = migration.metadata.beingDeleted();
  seen.inPlace = migration.status.godwit.mechanism == schema::nameOf(kinds::Mechanism::InPlace);
  seen.movesVolumes = !migration.spec.migratedVolumes.empty();
  const auto since = kinds::enteredAt(migration.status.phaseTransitionTimestamps, schema::nameOf(seen.phase));
  if (since) seen.inPhase = world_.clock.now() - *since;
  seen.instanceName = object::show({nameSpace, migration.spec.vmiName});
  seen.missingClaim = TRY(missingDestination(world_, migration));
  seen.restricted = migration.spec.restricted();
  if (scene.instance) {
    seen.instance = describe(world_, *scene.instance, migration);
    seen.unsettled = isUnsettled(world_, migration, *scene.instance);
    if (seen.phase <= MigrationPhase::Pending) seen.prospect = TRY(surely(world_, migration.spec, *scene.instance));
  }
  if (scene.target) seen.target = describeTarget(world_, *scene.target, scene.instance.get());
  if (scene.instance) seen.sourceNode = scene.instance->status.nodeName;
  if (scene.mover) seen.sourceNode = scene.mover->spec.nodeName;
  if (scene.mover) seen.mover = describeMover(world_, *scene.mover);
  return scene;
}

Result<> Reconciler::record(const Scene& scene, const Step& step) const {
  Migration before = *scene.migration;
  if (before.status.phase == MigrationPhase::Unset) before = TRY(holdOnTo(world_, before));
  Migration after = before;
  auto& status = after.status;
  const bool entered = step.phase != before.status.phase;
  status.godwit.reason = step.reason;
  // What it ended of is not to be seen any more afterwards.
  if (!kinds::isFinal(before.status.phase)) status.godwit.message = explain(step, scene.observed);
  if (entered) {
    status.phase = step.phase;
    status.phaseTransitionTimestamps.push_back({std::string(schema::nameOf(step.phase)), world_.clock.now()});
  }
  if (step.phase == MigrationPhase::Scheduling && status.godwit.mechanism.empty())
    status.godwit.mechanism = schema::nameOf(TRY(mechanismFor(world_, before, *scene.instance)));
  if (scene.instance && scene.observed.instance->heldByUs)
    status.migrationState = scene.instance->status.migrationState;
  if (scene.observed.cancelRequested && !kinds::isFinal(before.status.phase))
    kinds::setCondition(status.conditions,
                        {.type = "migrationAbortRequested",
                         .status = "True",
                         .reason = "MigrationDeleted",
                         .message = "the migration was deleted",
                         .lastTransitionTime = {}},
                        world_.clock.now());
  TRY(world_.client.changeStatus(before, after));
  if (entered && kinds::isFinal(step.phase)) {
    const bool good = step.phase == MigrationPhase::Succeeded;
    world_.recorder.record(after, good ? control::Recorder::Type::Normal : control::Recorder::Type::Warning,
                           good ? "SuccessfulMigration" : "FailedMigration",
                           status.godwit.reason + ": " + status.godwit.message);
  }
  return {};
}

Result<> Reconciler::perform(const Scene& scene, Duty duty) const {
  switch (duty) {
    case Duty::Rest:
      return {};
    case Duty::ClaimInstance:
      return claimInstance(world_, *scene.migration, *scene.instance);
    case Duty::CreateTarget:
      return createTarget(world_, *scene.migration, *scene.instance);
    case Duty::HandOff:
      return handOff(world_, *scene.migration, *scene.instance, *scene.target);
    case Duty::CreateMover:
      return createMover(world_, *scene.migration, scene.instance.get());
    case Duty::CancelMover:
      TRY(requestAbort(world_, *scene.migration, scene.instance.get()));
      return callOff(world_, *scene.mover, words::kCancelled);
    case Duty::TellTargetDead:
      return callOff(world_, *scene.mover, words::kTargetDead);
    case Duty::AbandonMover:
      return declareLost(world_, *scene.mover);
    case Duty::AskTarget:
      return callOff(world_, *scene.target, words::kSourceDead);
    case Duty::HandOver:
      return handOver(world_, *scene.migration);
    case Duty::CleanUp:
      return cleanUp(world_, *scene.migration);
    case Duty::GiveBack:
      return giveBack(world_, *scene.migration);
  }
  __builtin_unreachable();
}

}  // namespace godwit::controllers::migration
