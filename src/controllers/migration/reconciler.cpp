#include "controllers/migration/reconciler.hpp"

#include "controllers/dead_node.hpp"
#include "controllers/migration/configuration.hpp"
#include "controllers/migration/failure.hpp"
#include "controllers/migration/perform.hpp"
#include "controllers/migration/pods.hpp"
#include "kinds/calling_off.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::migration {
namespace {

using namespace std::chrono_literals;

namespace words = kinds::words;

// What is one write on the instance, and nothing else, needs no record before it: it is one.
bool isItsOwnRecord(Duty duty) {
  return duty == Duty::ClaimInstance || duty == Duty::HandOff || duty == Duty::HandOver;
}

template <class T>
std::shared_ptr<const T> share(T object) {
  return std::make_shared<const T>(std::move(object));
}

}  // namespace

void Superseded::note(const schema::Metadata& before, const schema::Metadata& after) {
  if (before.resourceVersion == after.resourceVersion) return;
  const Lock lock(mutex_);
  versions_[after.key()].insert(before.resourceVersion);
}

bool Superseded::has(const object::Key& key, const std::string& version) {
  const Lock lock(mutex_);
  const auto known = versions_.find(key);
  if (known == versions_.end()) return false;
  if (known->second.contains(version)) return true;
  versions_.erase(known);
  return false;
}

void Reconciler::listen(World& world, control::Controller& controller) {
  world.turns.onTurn([&](const object::Key& key) { controller.enqueue(key); });
  world.kubeVirts.onChange(
      [&](auto&&...) { world.turns.setLimits(limitsOf(configurationOf(world.kubeVirts.list()))); });
  const auto everyLiveOne = [&](auto&&...) {
    for (const auto& migration : world.migrations.list())
      if (!kinds::isFinal(migration->status.phase)) controller.enqueue(migration->metadata.key());
  };
  world.kubeVirts.onChange(everyLiveOne);
  world.policies.onChange(everyLiveOne);
  world.namespaces.onChange([everyLiveOne](const kinds::Namespace* before, const kinds::Namespace* after) {
    if (before && after && before->metadata.labels != after->metadata.labels) everyLiveOne();
  });
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
      if (!kinds::isFinal(migration->status.phase)) controller.enqueue(migration->metadata.key());
  });
  world.pods.onChange([&](const kinds::Pod* before, const kinds::Pod* after) {
    const auto& metadata = (after ? after : before)->metadata;
    const auto name = metadata.annotations.find(std::string(words::kMigrationJobName));
    if (name != metadata.annotations.end()) controller.enqueue({metadata.nameSpace, name->second});
  });
  world.nodes.onChange([everyLiveOne](const kinds::Node* before, const kinds::Node* after) {
    if ((before && isOutOfService(*before)) != (after && isOutOfService(*after))) everyLiveOne();
  });
}

// A phase is on record before its duty is done, so a crash can repeat a duty but never
// leave one unaccounted for.
Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  auto scene = TRY(look(key));
  if (!scene || isOutdated(*scene)) return control::Again{};
  while (TRY(advance(*scene))) {
  }
  const MigrationPhase phase = scene->status.phase;
  if (kinds::isFinal(phase)) TRY(forgetOldest(world_, *scene->migration));
  // Only time itself ends a wait for a node.
  if (phase != MigrationPhase::Scheduling) return control::Again{};
  return control::Again{.after = scene->observed.restricted ? 1s : 10s};
}

// What was written here comes back from the server in a moment, and calls again. Whoever has ended is not called for
// its instance, and does not look at it.
bool Reconciler::isOutdated(const Scene& scene) {
  const Migration& migration = *scene.migration;
  if (migrations_.has(migration.metadata.key(), migration.metadata.resourceVersion)) return true;
  const object::Key instance = {migration.metadata.nameSpace, migration.spec.vmiName};
  return !kinds::isFinal(migration.status.phase) &&
         instances_.has(instance, scene.instance ? scene.instance->metadata.resourceVersion : "");
}

void Reconciler::learn(Scene& scene, Instance written) {
  instances_.note(scene.instance->metadata, written.metadata);
  scene.instance = share(std::move(written));
}

// A phase without a duty goes on record together with what follows it.
Result<bool> Reconciler::advance(Scene& scene) {
  TRY(describe(scene));
  const Step step = decide(scene.observed);
  const Duty duty = dutyOf(step.phase, scene.observed);
  const bool entered = step.phase != scene.observed.phase;
  TRY(note(scene, step));
  if (entered && duty == Duty::Rest) return true;
  TRY(hold(scene));
  if (!isItsOwnRecord(duty)) TRY(record(scene));
  return perform(scene, duty);
}

Result<> Reconciler::note(Scene& scene, const Step& step) const {
  const Observed& seen = scene.observed;
  const bool over = kinds::isFinal(seen.phase);
  auto& status = scene.status;
  for (Announcement& one : announcementsOf(step, seen)) scene.news.push_back(std::move(one));
  status.godwit.reason = step.reason;
  // What it ended of is not to be seen any more afterwards.
  if (!over) status.godwit.message = explain(step, seen);
  status.godwit.queue = step.reason == "WaitingForTurn" ? seen.queue : std::nullopt;
  if (step.phase != seen.phase) {
    status.phase = step.phase;
    status.phaseTransitionTimestamps.push_back({std::string(schema::nameOf(step.phase)), world_.clock.now()});
    if (step.phase == MigrationPhase::Failed) status.godwit.failure = failureOf(step, seen);
  }
  if (step.phase == MigrationPhase::Scheduling && status.godwit.mechanism.empty())
    status.godwit.mechanism = schema::nameOf(TRY(mechanismFor(world_, *scene.migration, *scene.instance)));
  if (scene.target) kinds::dropCondition(status.conditions, kRejectedByQuota);
  if (scene.following) status.godwit.machinePatch = patchOf(*scene.following);
  if (scene.instance && seen.instance->heldByUs) status.migrationState = scene.instance->status.migrationState;
  if (seen.cancelRequested && !over)
    kinds::setCondition(status.conditions,
                        {.type = std::string(kAbortRequested),
                         .status = "True",
                         .reason = std::string(seen.outcomeGivenUp ? kOutcomeGivenUp : kMigrationDeleted),
                         .message = "the migration was deleted",
                         .lastTransitionTime = {}},
                        world_.clock.now());
  return {};
}

Result<> Reconciler::record(Scene& scene) {
  Migration after = *scene.migration;
  after.status = scene.status;
  replace(scene, TRY(world_.client.changeStatus(*scene.migration, after)));
  announce(scene);
  return {};
}

// Once it has ended it may go as it likes.
Result<> Reconciler::hold(Scene& scene) {
  if (scene.migration->status.phase != MigrationPhase::Unset || isHeldOnTo(*scene.migration)) return {};
  replace(scene, TRY(holdOnTo(world_, *scene.migration)));
  return {};
}

void Reconciler::replace(Scene& scene, Migration written) {
  migrations_.note(scene.migration->metadata, written.metadata);
  scene.migration = share(std::move(written));
}

void Reconciler::announce(Scene& scene) const {
  for (const Announcement& one : std::exchange(scene.news, {})) {
    const auto type = one.good ? control::Recorder::Type::Normal : control::Recorder::Type::Warning;
    if (one.about == Announcement::About::Move)
      world_.recorder.record(*scene.migration, type, std::string(one.reason), one.message);
    else if (scene.instance)
      world_.recorder.record(*scene.instance, type, std::string(one.reason), one.message);
  }
}

// A refusal for quota goes on record; it is tried again when time has passed.
Result<> Reconciler::makeTarget(Scene& scene) {
  const auto made = createTarget(world_, *scene.migration, *scene.instance);
  if (made || !isForQuota(made.error())) return made;
  kinds::setCondition(scene.status.conditions,
                      {.type = std::string(kRejectedByQuota),
                       .status = "True",
                       .reason = "QuotaExceeded",
                       .message = made.error().message,
                       .lastTransitionTime = {}},
                      world_.clock.now());
  return record(scene);
}

Result<bool> Reconciler::perform(Scene& scene, Duty duty) {
  const Migration& migration = *scene.migration;
  switch (duty) {
    case Duty::Rest:
      return false;
    case Duty::ClaimInstance:
      learn(scene, TRY(claimInstance(world_, migration, *scene.instance)));
      return true;
    case Duty::CreateTarget:
      TRY(makeTarget(scene));
      return false;
    case Duty::HandOff:
      learn(scene, TRY(handOff(world_, migration, *scene.instance, {*scene.target, scene.resolved})));
      return true;
    case Duty::CreateMover:
      TRY(createMover(world_, migration, scene.instance.get()));
      return false;
    case Duty::CancelMover:
      TRY(requestAbort(world_, migration, scene.instance.get()));
      TRY(callOff(world_, *scene.mover, words::kCancelled));
      return false;
    case Duty::TellTargetDead:
      TRY(callOff(world_, *scene.mover, words::kTargetDead));
      return false;
    case Duty::AbandonMover:
      TRY(declareLost(world_, *scene.mover));
      return false;
    case Duty::TellOptions:
      TRY(tellOptions(world_, *scene.instance, *scene.mover, scene.resolved));
      return false;
    case Duty::AskTarget:
      TRY(callOff(world_, *scene.target, words::kSourceDead));
      return false;
    case Duty::HandOver:
      if (auto handedOver = TRY(handOver(world_, migration))) {
        scene.instance = share(std::move(*handedOver));
        return true;
      }
      TRY(record(scene));
      return false;
    case Duty::UpdateMachine:
      TRY(follow(world_, *scene.following));
      return true;
    case Duty::CleanUp:
      TRY(cleanUp(world_, migration));
      return false;
    case Duty::GiveBack:
      TRY(giveBack(world_, migration));
      return false;
  }
  __builtin_unreachable();
}

}  // namespace godwit::controllers::migration
