#include <algorithm>

#include "controllers/dead_node.hpp"
#include "controllers/migration/configuration.hpp"
#include "controllers/migration/perform.hpp"
#include "controllers/migration/pods.hpp"
#include "controllers/migration/reconciler.hpp"
#include "controllers/migration/standing.hpp"
#include "controllers/node_search.hpp"
#include "controllers/volume_migration/candidates.hpp"
#include "kinds/calling_off.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::migration {
namespace {

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

// What speaks against moving the volumes, whoever asked for it.
Result<std::string> refusalOf(const World& world, const kinds::VirtualMachineInstanceMigration& migration) {
  for (const kinds::MigratedClaim& moved : migration.spec.migratedVolumes) {
    kinds::MigratedVolume volume{moved.sourceClaim, moved.destinationClaim};
    const auto candidate =
        TRY(volume_migration::candidateFor(world, volume_migration::askerOf(migration), std::move(volume)));
    if (std::string objection = volume_migration::objectionTo(candidate); !objection.empty()) return objection;
  }
  return "";
}

// A node that the cache has not seen yet may be the very one, so an obstacle counts once the server itself sees it.
Result<Prospect> surely(const World& world, const kinds::MigrationSpec& asked, const Instance& instance) {
  const auto suitable = [&](const kinds::Node& node) { return suits(asked, instance, node); };
  const auto source = world.nodes.get({"", instance.status.nodeName});
  if ((source && allows(asked, *source) && suitable(*source)) || findNode(world, termsOf(asked), suitable))
    return Prospect{};
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

bool givesOutcomeUp(const kinds::MigrationStatus& cancelled) {
  const auto* seen = kinds::findCondition(cancelled.conditions, kAbortRequested);
  return seen ? seen->reason == kOutcomeGivenUp : isOpen(cancelled.godwit.reason);
}

bool isHeldBy(const Migration& migration, const Instance& instance) {
  const auto& state = instance.status.migrationState;
  return state && state->migrationUid == migration.metadata.uid;
}

std::shared_ptr<const Instance> shared(std::optional<Instance> found) {
  return found ? std::make_shared<const Instance>(std::move(*found)) : nullptr;
}

bool isDead(const World& world, const object::Key& key) {
  const auto pod = world.pods.get(key);
  return pod && isLost(*pod);
}

Observed::Instance describeInstance(const World& world, const kinds::VirtualMachineInstance& instance,
                                    const kinds::VirtualMachineInstanceMigration& migration) {
  const auto& state = instance.status.migrationState;
  const bool ours = isHeldBy(migration, instance);
  return {.running = instance.status.phase == kinds::InstancePhase::Running,
          .ended = kinds::isFinal(instance.status.phase) || instance.metadata.beingDeleted(),
          .leaving = instance.metadata.beingDeleted(),
          .heldByUs = ours,
          .heldByAnother = heldByAnother(world, instance, migration),
          .handedOff = ours && !state->targetNode.empty(),
          .paused = instance.toBePaused() || kinds::isTrue(instance.status.conditions, "Paused"),
          .handedOver = ours && state->completed && !state->failed,
          .dead = ours && isDead(world, {instance.metadata.nameSpace, state->sourcePod}),
          .abortRequested = ours && state->abortRequested,
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
          .refused = pod.status.reason == words::kPreparationFailed,
          .ended = pod.ended(),
          .arrived = pod.status.reason == words::kGuestArrived,
          .onDeadNode = dead,
          .name = object::show(pod.metadata.key()),
          .node = pod.spec.nodeName,
          .message = refused ? scheduled->message
                     : dead  ? nodeIsDead(pod.spec.nodeName)
                             : pod.status.message};
}

Observed::MoverPod describeMover(const World& world, const kinds::Pod& pod) {
  return {.succeeded = pod.status.phase == kinds::pod_phase::kSucceeded,
          .failed = pod.status.phase == kinds::pod_phase::kFailed,
          .lost = isLost(pod),
          .onDeadNode = !pod.ended() && isOnDeadNode(world, pod),
          .reason = pod.status.reason,
          .message = pod.status.reason + ": " + pod.status.message};
}

// What it said of its progress when it ended.
std::optional<kinds::MoveProgress> lastWordsOf(const kinds::Pod& mover) {
  for (const kinds::ContainerStatus& container : mover.status.containerStatuses) {
    if (!container.state.terminated) continue;
    const auto words = object::parseDocument(container.state.terminated->message);
    const auto progress = words ? schema::parse<kinds::MoveProgress>(json::value(*words)) : fail(words.error());
    if (progress) return *progress;
  }
  return std::nullopt;
}

Resolved resolveFor(const World& world, const Migration& migration, const Instance& instance) {
  const auto home = world.namespaces.get({"", migration.metadata.nameSpace});
  const auto policy = policyFor(world.policies.list(), {.nameSpace = home ? home->metadata.labels : Labels{},
                                                        .instance = instance.metadata.labels});
  return resolve(configurationOf(world.kubeVirts.list()), policy.get(), migration.spec.options);
}

bool isOnRecord(const Resolved& resolved, const kinds::MigrationState& state, const kinds::Pod& mover) {
  return state.migrationConfiguration == resolved.options && state.migrationPolicyName == resolved.policy &&
         object::valueOf(mover.metadata.annotations, words::kMigrationOptions) == writeOptions(resolved.options);
}

}  // namespace

// A pod that is not to be there yet is not asked for: only the one that finds none makes it, and whoever is told that
// there is one already is content.
Result<std::optional<Reconciler::Scene>> Reconciler::look(const object::Key& key) const {
  Scene scene{.migration = world_.migrations.get(key),
              .status = {},
              .news = {},
              .instance = {},
              .target = {},
              .mover = {},
              .resolved = {},
              .following = {},
              .observed = {}};
  if (!scene.migration) {
    world_.turns.leave(key);
    return std::nullopt;
  }
  const Migration& migration = *scene.migration;
  const std::string& nameSpace = migration.metadata.nameSpace;
  scene.status = migration.status;
  scene.instance = TRY(findSurely(world_, world_.instances, {nameSpace, migration.spec.vmiName}));
  const MigrationPhase phase = scene.status.phase;
  // Only the server itself says that an instance is not this migration's any more.
  if (phase > MigrationPhase::Pending && !kinds::isFinal(phase) && scene.instance &&
      !isHeldBy(migration, *scene.instance))
    scene.instance = shared(TRY(world_.client.find<Instance>(scene.instance->metadata.key())));
  const object::Key target = {nameSpace, targetName(migration)};
  if (phase < MigrationPhase::Scheduled)
    scene.target = world_.pods.get(target);
  else if (!kinds::isFinal(phase))
    scene.target = TRY(findSurely(world_, world_.pods, target));
  if (phase == MigrationPhase::Running)
    scene.mover = TRY(findSurely(world_, world_.pods, {nameSpace, moverName(migration)}));
  return scene;
}

Result<> Reconciler::describe(Scene& scene) const {
  const Migration& migration = *scene.migration;
  const std::string& nameSpace = migration.metadata.nameSpace;
  if (const auto told = scene.mover ? lastWordsOf(*scene.mover) : std::nullopt) scene.status.godwit.progress = told;
  const kinds::MigrationStatus& status = scene.status;
  Observed& seen = scene.observed = {};
  seen.phase = status.phase;
  seen.reason = status.godwit.reason;
  if (status.godwit.progress) seen.stage = status.godwit.progress->stage;
  seen.cancelRequested = migration.metadata.beingDeleted();
  seen.outcomeGivenUp = seen.cancelRequested && givesOutcomeUp(status);
  seen.inPlace = status.godwit.mechanism == schema::nameOf(kinds::Mechanism::InPlace);
  seen.movesVolumes = !migration.spec.migratedVolumes.empty();
  const auto since = kinds::enteredAt(status.phaseTransitionTimestamps, schema::nameOf(seen.phase));
  if (since) seen.inPhase = world_.clock.now() - *since;
  seen.instanceName = object::show({nameSpace, migration.spec.vmiName});
  seen.missingClaim = TRY(missingDestination(world_, migration));
  seen.restricted = migration.spec.restricted();
  if (const auto* rejected = kinds::findCondition(status.conditions, kRejectedByQuota))
    seen.overQuota = rejected->message;
  if (scene.instance) {
    seen.instance = describeInstance(world_, *scene.instance, migration);
    seen.unsettled = isUnsettled(world_, migration, *scene.instance);
    if (seen.phase <= MigrationPhase::Pending) seen.prospect = TRY(surely(world_, migration.spec, *scene.instance));
    if (seen.phase <= MigrationPhase::Pending && !seen.instance->heldByUs) {
      seen.refusal = TRY(refusalOf(world_, migration));
      if (seen.refusal.empty() && seen.missingClaim.empty() && seen.instance->running)
        seen.refusal = TRY(objectionToPlace(world_, migration, *scene.instance));
    }
    scene.following.reset();
    if (seen.phase == MigrationPhase::Running && seen.movesVolumes && seen.instance->handedOver)
      scene.following = TRY(followingOf(world_, migration));
    seen.machineFollowed = !scene.following;
  }
  if (scene.target) seen.target = describeTarget(world_, *scene.target, scene.instance.get());
  if (scene.instance) seen.sourceNode = scene.instance->status.nodeName;
  if (scene.mover) seen.sourceNode = scene.mover->spec.nodeName;
  if (scene.mover) seen.mover = describeMover(world_, *scene.mover);
  if (scene.instance) scene.resolved = resolveFor(world_, migration, *scene.instance);
  seen.optionsChanged = seen.instance && seen.instance->heldByUs && scene.mover && !scene.mover->ended() &&
                        !isOnRecord(scene.resolved, *scene.instance->status.migrationState, *scene.mover);
  seen.queue = TRY(takeTurn(scene));
  return {};
}

// A turn counts from before the claim is sent until the end is on record; one that was given and cannot be used goes
// to others only when the server itself says that nothing came of it.
Result<std::optional<kinds::QueuePlace>> Reconciler::takeTurn(const Scene& scene) const {
  Turns& turns = world_.turns;
  if (!turns.isOpen()) turns.open(standings(world_));
  const Migration& migration = *scene.migration;
  const Observed& seen = scene.observed;
  const object::Key key = migration.metadata.key();
  if (kinds::isFinal(seen.phase)) {
    turns.leave(key);
    return std::nullopt;
  }
  // Whoever only keeps disks equal until it is called keeps nobody waiting.
  if (seen.stage == kInSync) {
    turns.leave(key);
    return std::nullopt;
  }
  if (seen.phase > MigrationPhase::Pending || (seen.instance && seen.instance->heldByUs)) {
    turns.count(standingOf(migration, scene.instance.get()));
    const bool arrives =
        seen.target && seen.target->bound && !seen.inPlace && !(seen.instance && seen.instance->handedOff);
    if (!arrives || seen.phase > MigrationPhase::Scheduled) return std::nullopt;
    return turns.askToArrive(key, scene.target->spec.nodeName);
  }
  if (mayBeClaimed(seen)) return turns.askToBegin(placeOf(migration), scene.instance->status.nodeName);
  if (!turns.counts(key) || !TRY(heldInstance(world_, migration))) turns.leave(key);
  return std::nullopt;
}

}  // namespace godwit::controllers::migration
