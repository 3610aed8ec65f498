#include "controllers/migration/perform.hpp"

#include <algorithm>

#include "controllers/claim_names.hpp"
#include "controllers/migration/mechanism.hpp"
#include "controllers/migration/pods.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::migration {
namespace {

namespace words = kinds::words;

// The instance as the server has it, if it still belongs to this migration; else nothing.
Result<std::optional<Instance>> heldInstance(const World& world, const Migration& migration) {
  auto fresh = TRY(world.client.find<Instance>({migration.metadata.nameSpace, migration.spec.vmiName}));
  if (!fresh) return std::nullopt;
  const auto& state = fresh->status.migrationState;
  if (!state || state->migrationUid != migration.metadata.uid) return std::nullopt;
  return fresh;
}

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

}  // namespace

Result<Migration> holdOnTo(const World& world, const Migration& migration) {
  auto after = migration;
  auto& finalizers = after.metadata.finalizers;
  if (std::find(finalizers.begin(), finalizers.end(), words::kMigrationFinalizer) == finalizers.end())
    finalizers.emplace_back(words::kMigrationFinalizer);
  after.metadata.labels[std::string(words::kVmiName)] = migration.spec.vmiName;
  return world.client.change(migration, after);
}

Result<kinds::Mechanism> mechanismFor(const World& world, const Migration& migration, const Instance& instance) {
  const auto source = TRY(findSurely(world, world.nodes, {"", instance.status.nodeName}));
  if (!source) return fail(Code::NotFound, "node " + instance.status.nodeName + " does not exist");
  std::vector<std::shared_ptr<const void>> kept;
  std::vector<Destination> destinations;
  for (const kinds::MigratedClaim& moved : migration.spec.migratedVolumes) {
    const auto claim = TRY(findSurely(world, world.claims, {migration.metadata.nameSpace, moved.destinationClaim}));
    if (!claim) return fail(Code::NotFound, "claim " + moved.destinationClaim + " does not exist");
    const auto volume =
        claim->spec.volumeName.empty() ? nullptr : TRY(findSurely(world, world.volumes, {"", claim->spec.volumeName}));
    destinations.push_back({claim.get(), volume.get()});
    kept.insert(kept.end(), {claim, volume});
  }
  return chooseMechanism(migration.spec, destinations, *source);
}

Result<> claimInstance(const World& world, const Migration& migration, const Instance& instance) {
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
  TRY(world.client.change(instance, after));
  return {};
}

Result<> createTarget(const World& world, const Migration& migration, const Instance& instance) {
  const bool inPlace = migration.status.godwit.mechanism == schema::nameOf(kinds::Mechanism::InPlace);
  // The mechanism is on record before the pod: this pass may have recorded it only now.
  if (migration.status.godwit.mechanism.empty()) return {};
  if (inPlace)
    for (const kinds::MigratedClaim& moved : migration.spec.migratedVolumes)
      TRY(chooseNodeFor(world, {migration.metadata.nameSpace, moved.destinationClaim}, instance.status.nodeName));
  return world.client.ensure(
      renderTarget(migration, instance, inPlace ? kinds::Mechanism::InPlace : kinds::Mechanism::AcrossNodes));
}

Result<> handOff(const World& world, const Migration& migration, const Instance& instance, const kinds::Pod& target) {
  if (!instance.status.migrationState || instance.status.migrationState->migrationUid != migration.metadata.uid)
    return fail(Code::Conflict, "the instance is not this migration's");
  auto after = instance;
  after.status.migrationState->targetNode = target.spec.nodeName;
  after.status.migrationState->targetPod = target.metadata.name;
  after.status.activePods[target.metadata.uid] = target.spec.nodeName;
  TRY(world.client.change(instance, after));
  return {};
}

Result<> createMover(const World& world, const Migration& migration, const Instance* instance) {
  if (!instance || !instance->status.migrationState) return {};
  return world.client.ensure(renderMover(migration, *instance));
}

Result<> callOff(const World& world, const kinds::Pod& pod, std::string_view why) {
  auto after = pod;
  after.metadata.annotations[std::string(words::kCancelMove)] = why;
  TRY(world.client.change(pod, after, client::Unless::Never));
  return {};
}

Result<> handOver(const World& world, const Migration& migration) {
  const object::Key key = {migration.metadata.nameSpace, migration.spec.vmiName};
  auto fetched = world.client.get(schema::kind<Instance>, key);
  if (!fetched) return fetched.error().code == Code::NotFound ? Result<>{} : fail(fetched.error());
  const auto before = schema::view<Instance>(*fetched);
  const auto& state = before.status.migrationState;
  if (!state || state->migrationUid != migration.metadata.uid || state->completed) return {};

  auto status = before.status;
  status.nodeName = state->targetNode;
  status.godwit.activePod = state->targetPod;
  status.migrationState->completed = true;
  status.migrationState->endTimestamp = world.clock.now();
  status.migratedVolumes.clear();
  const auto target = TRY(world.client.get<kinds::Pod>({migration.metadata.nameSpace, state->targetPod}));
  status.activePods = {{target.metadata.uid, state->targetNode}};

  object::Document after = *fetched;
  renameClaims(after["spec"], migration.spec.migratedVolumes);
  json::object patch = object::mergePatchBetween(*fetched, after);
  patch["status"] =
      object::mergePatchBetween(schema::write(before.status).as_object(), schema::write(status).as_object());
  patch["metadata"] = json::object{{"resourceVersion", before.metadata.resourceVersion}};
  TRY(world.client.mergePatch(schema::kind<Instance>, key, patch));
  return {};
}

Result<> cleanUp(const World& world, const Migration& migration) {
  const auto& state = migration.status.migrationState;
  if (state && !state->sourcePod.empty())
    TRY(world.client.remove(schema::kind<kinds::Pod>, {migration.metadata.nameSpace, state->sourcePod}));
  return letGo(world, migration);
}

Result<> giveBack(const World& world, const Migration& migration) {
  // The reason is read from the record, which the pass that failed the migration has only just made.
  if (!kinds::isFinal(migration.status.phase)) return {};
  if (auto held = TRY(heldInstance(world, migration)); held && !held->status.migrationState->completed) {
    auto after = *held;
    after.status.migrationState->completed = true;
    after.status.migrationState->failed = true;
    after.status.migrationState->endTimestamp = world.clock.now();
    after.status.migrationState->failureReason =
        migration.status.godwit.reason + ": " + migration.status.godwit.message;
    after.status.migratedVolumes.clear();
    TRY(world.client.change(*held, after));
  }
  // A node keeps a pod that takes part in a move, so the move is over first.
  TRY(world.client.remove(schema::kind<kinds::Pod>, {migration.metadata.nameSpace, targetName(migration)}));
  return letGo(world, migration);
}

}  // namespace godwit::controllers::migration
