#include "controllers/migration/perform.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "controllers/claim_names.hpp"
#include "controllers/migration/mechanism.hpp"
#include "controllers/migration/pods.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::migration {
namespace {

namespace words = kinds::words;

// Of each guest, as KubeVirt does.
constexpr std::size_t kEndedToKeep = 5;

Result<> letGo(const World& world, const Migration& migration) {
  return migration.metadata.beingDeleted() ? world.client.letGo(migration, words::kMigrationFinalizer) : Result<>{};
}

// A claim that waits for its first consumer learns where that is: no scheduler will say so
// for a pod that is bound from the start.
Result<> chooseNodeFor(const World& world, const object::Key& key, const std::string& node) {
  const auto claim = TRY(world.client.get<kinds::PersistentVolumeClaim>(key));
  if (claim.bound()) return {};
  auto after = claim;
  after.metadata.annotations[std::string(words::kSelectedNode)] = node;
  TRY(world.client.change(claim, after));
  return {};
}

struct FoundClaim {
  std::shared_ptr<const kinds::PersistentVolumeClaim> claim;
  std::shared_ptr<const kinds::PersistentVolume> volume;  // null until the claim is bound
};

Result<std::vector<FoundClaim>> destinationsOf(const World& world, const Migration& migration) {
  std::vector<FoundClaim> found;
  for (const kinds::MigratedClaim& moved : migration.spec.migratedVolumes) {
    const auto claim = TRY(findSurely(world, world.claims, {migration.metadata.nameSpace, moved.destinationClaim}));
    if (!claim) return fail(Code::NotFound, "claim " + moved.destinationClaim + " does not exist");
    const auto volume =
        claim->spec.volumeName.empty() ? nullptr : TRY(findSurely(world, world.volumes, {"", claim->spec.volumeName}));
    found.push_back({claim, volume});
  }
  return found;
}

Result<std::shared_ptr<const kinds::Node>> sourceNodeOf(const World& world, const Instance& instance) {
  auto source = TRY(findSurely(world, world.nodes, {"", instance.status.nodeName}));
  if (!source) return fail(Code::NotFound, "node " + instance.status.nodeName + " does not exist");
  return source;
}

}  // namespace

bool isHeldOnTo(const Migration& migration) {
  return migration.metadata.isHeldBy(words::kMigrationFinalizer) &&
         migration.metadata.labels.contains(std::string(words::kVmiName));
}

Result<Migration> holdOnTo(const World& world, const Migration& migration) {
  auto after = migration;
  if (!migration.metadata.isHeldBy(words::kMigrationFinalizer))
    after.metadata.finalizers.emplace_back(words::kMigrationFinalizer);
  after.metadata.labels[std::string(words::kVmiName)] = migration.spec.vmiName;
  return world.client.change(migration, after);
}

Result<kinds::Mechanism> mechanismFor(const World& world, const Migration& migration, const Instance& instance) {
  const auto source = TRY(sourceNodeOf(world, instance));
  const auto found = TRY(destinationsOf(world, migration));
  std::vector<Destination> destinations;
  for (const FoundClaim& one : found) destinations.push_back({one.claim.get(), one.volume.get()});
  return chooseMechanism(migration.spec, destinations, *source);
}

Result<std::string> objectionToPlace(const World& world, const Migration& migration, const Instance& instance) {
  if (!isOnlyInPlace(migration.spec)) return "";
  const auto source = TRY(sourceNodeOf(world, instance));
  const auto destinations = TRY(destinationsOf(world, migration));
  for (const FoundClaim& one : destinations)
    if (!isReachedFrom(*source, {one.claim.get(), one.volume.get()}))
      return fmt::format(
          "The destination claim {} cannot be reached from node {}, where the guest is, so the volume "
          "cannot move in place{}; name a claim that can be, or move the guest to another node first",
          one.claim->metadata.name, source->metadata.name,
          migration.spec.verify ? ", and only then its copy can be verified" : "");
  return "";
}

Result<std::optional<Instance>> heldInstance(const World& world, const Migration& migration) {
  auto fresh = TRY(world.client.find<Instance>({migration.metadata.nameSpace, migration.spec.vmiName}));
  if (!fresh) return std::nullopt;
  const auto& state = fresh->status.migrationState;
  if (!state || state->migrationUid != migration.metadata.uid) return std::nullopt;
  return fresh;
}

Result<Instance> claimInstance(const World& world, const Migration& migration, const Instance& instance) {
  auto after = instance;
  after.status.migrationState = kinds::MigrationState{.migrationUid = migration.metadata.uid,
                                                      .sourceNode = instance.status.nodeName,
                                                      .sourcePod = instance.status.godwit.activePod,
                                                      .targetNode = "",
                                                      .targetPod = "",
                                                      .startTimestamp = world.clock.now(),
                                                      .endTimestamp = {},
                                                      .failureReason = ""};
  after.status.migratedVolumes.clear();
  for (const kinds::MigratedClaim& moved : migration.spec.migratedVolumes)
    for (const kinds::VolumeSpec& volume : instance.spec.allVolumes())
      if (volume.claim() == moved.sourceClaim)
        after.status.migratedVolumes.push_back({volume.name, {moved.sourceClaim}, {moved.destinationClaim}});
  return world.client.change(instance, after);
}

bool isForQuota(const Error& error) {
  return error.code == Code::Forbidden && error.message.find("exceeded quota") != std::string::npos;
}

Result<> createTarget(const World& world, const Migration& migration, const Instance& instance) {
  const bool inPlace = migration.status.godwit.mechanism == schema::nameOf(kinds::Mechanism::InPlace);
  if (inPlace)
    for (const kinds::MigratedClaim& moved : migration.spec.migratedVolumes)
      TRY(chooseNodeFor(world, {migration.metadata.nameSpace, moved.destinationClaim}, instance.status.nodeName));
  return world.client.ensure(
      renderTarget(migration, instance, inPlace ? kinds::Mechanism::InPlace : kinds::Mechanism::AcrossNodes));
}

Result<Instance> handOff(const World& world, const Migration& migration, const Instance& instance, const Terms& terms) {
  if (!instance.status.migrationState || instance.status.migrationState->migrationUid != migration.metadata.uid)
    return fail(Code::Conflict, "the instance is not this migration's");
  auto after = instance;
  auto& state = *after.status.migrationState;
  state.targetNode = terms.target.spec.nodeName;
  state.targetPod = terms.target.metadata.name;
  state.migrationPolicyName = terms.resolved.policy;
  state.migrationConfiguration = terms.resolved.options;
  if (state.targetNode != state.sourceNode) {
    state.mode = "PreCopy";
    after.status.migrationNodeName = state.targetNode;
  }
  after.status.activePods[terms.target.metadata.uid] = terms.target.spec.nodeName;
  return world.client.change(instance, after);
}

Result<> createMover(const World& world, const Migration& migration, const Instance* instance) {
  if (!instance || !instance->status.migrationState) return {};
  return world.client.ensure(renderMover(migration, *instance));
}

Result<> tellOptions(const World& world, const Instance& instance, const kinds::Pod& mover, const Resolved& resolved) {
  auto instructed = mover;
  instructed.metadata.annotations[std::string(words::kMigrationOptions)] = writeOptions(resolved.options);
  TRY(world.client.change(mover, instructed, client::Unless::Never));
  auto after = instance;
  after.status.migrationState->migrationPolicyName = resolved.policy;
  after.status.migrationState->migrationConfiguration = resolved.options;
  TRY(world.client.change(instance, after));
  return {};
}

Result<> requestAbort(const World& world, const Migration& migration, const Instance* instance) {
  const auto& state = instance ? instance->status.migrationState : std::nullopt;
  if (!state || state->migrationUid != migration.metadata.uid || state->abortRequested || state->completed) return {};
  auto after = *instance;
  after.status.migrationState->abortRequested = true;
  TRY(world.client.change(*instance, after));
  return {};
}

Result<> callOff(const World& world, const kinds::Pod& pod, std::string_view why) {
  auto after = pod;
  after.metadata.annotations[std::string(words::kCancelMove)] = why;
  TRY(world.client.change(pod, after, client::Unless::Never));
  return {};
}

Result<std::optional<Instance>> handOver(const World& world, const Migration& migration) {
  const object::Key key = {migration.metadata.nameSpace, migration.spec.vmiName};
  auto fetched = world.client.get(schema::kind<Instance>, key);
  if (!fetched && fetched.error().code != Code::NotFound) return fail(fetched.error());
  if (!fetched) return std::nullopt;
  const auto before = schema::view<Instance>(*fetched);
  const auto& state = before.status.migrationState;
  if (!state || state->migrationUid != migration.metadata.uid || state->failed) return std::nullopt;
  if (state->completed) return before;

  auto status = before.status;
  status.nodeName = state->targetNode;
  status.migrationNodeName.clear();
  status.godwit.activePod = state->targetPod;
  auto& outcome = *status.migrationState;
  outcome.completed = true;
  outcome.endTimestamp = world.clock.now();
  outcome.targetNodeDomainDetected = true;
  outcome.targetNodeDomainReadyTimestamp = outcome.endTimestamp;
  // Whoever deleted it in time for a cancel, and too late for this one, is told so.
  const auto asked = TRY(world.client.find<Migration>(migration.metadata.key()));
  outcome.abortRequested = outcome.abortRequested || !asked || asked->metadata.beingDeleted();
  if (outcome.abortRequested) outcome.abortStatus = "Failed";
  status.migratedVolumes.clear();
  const auto target = TRY(world.client.get<kinds::Pod>({migration.metadata.nameSpace, state->targetPod}));
  status.activePods = {{target.metadata.uid, state->targetNode}};

  object::Document after = *fetched;
  renameClaims(after["spec"], migration.spec.migratedVolumes);
  json::object patch = object::mergePatchBetween(*fetched, after);
  patch["status"] =
      object::mergePatchBetween(schema::write(before.status).as_object(), schema::write(status).as_object());
  patch["metadata"] = json::object{{"resourceVersion", before.metadata.resourceVersion}};
  return schema::view<Instance>(json::value(TRY(world.client.mergePatch(schema::kind<Instance>, key, patch))));
}

Result<> cleanUp(const World& world, const Migration& migration) {
  const auto& state = migration.status.migrationState;
  // A pod that is older than its guest's move is not news to any cache.
  if (const auto source = state ? world.pods.get({migration.metadata.nameSpace, state->sourcePod}) : nullptr)
    TRY(world.client.remove(*source));
  return letGo(world, migration);
}

Result<> giveBack(const World& world, const Migration& migration) {
  if (auto held = TRY(heldInstance(world, migration)); held && !held->status.migrationState->completed) {
    auto after = *held;
    auto& outcome = *after.status.migrationState;
    outcome.completed = true;
    outcome.failed = true;
    outcome.endTimestamp = world.clock.now();
    outcome.failureReason = migration.status.godwit.reason + ": " + migration.status.godwit.message;
    outcome.abortRequested = outcome.abortRequested || migration.metadata.beingDeleted();
    if (outcome.abortRequested) outcome.abortStatus = "Succeeded";
    after.status.migrationNodeName.clear();
    after.status.migratedVolumes.clear();
    TRY(world.client.change(*held, after));
  }
  // A node keeps a pod that takes part in a move, so the move is over first.
  TRY(world.client.remove(schema::kind<kinds::Pod>, {migration.metadata.nameSpace, targetName(migration)}));
  return letGo(world, migration);
}

Result<> forgetOldest(const World& world, const Migration& migration) {
  auto ended =
      world.migrations.by(index::kByInstance, object::show({migration.metadata.nameSpace, migration.spec.vmiName}));
  std::erase_if(ended,
                [](const auto& one) { return !kinds::isFinal(one->status.phase) || one->metadata.beingDeleted(); });
  std::sort(ended.begin(), ended.end(), [](const auto& left, const auto& right) {
    const auto key = [](const Migration& one) { return std::tie(one.metadata.creationTimestamp, one.metadata.name); };
    return key(*right) < key(*left);
  });
  for (std::size_t i = kEndedToKeep; i < ended.size(); ++i) TRY(world.client.remove(*ended[i]));
  return {};
}

}  // namespace godwit::controllers::migration
