#include "controllers/migration/reconciler.hpp"

#include "controllers/dead_node.hpp"
#include "controllers/migration/announce.hpp"
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

}  // namespace

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
      controller.enqueue(migration->metadata.key());
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

Result<> Reconciler::record(const Scene& scene, const Step& step) const {
  Migration before = *scene.migration;
  if (before.status.phase == MigrationPhase::Unset) before = TRY(holdOnTo(world_, before));
  Migration after = before;
  auto& status = after.status;
  const bool entered = step.phase != before.status.phase;
  status.godwit.reason = step.reason;
  // What it ended of is not to be seen any more afterwards.
  if (!kinds::isFinal(before.status.phase)) status.godwit.message = explain(step, scene.observed);
  status.godwit.queue = step.reason == "WaitingForTurn" ? scene.observed.queue : std::nullopt;
  if (entered) {
    status.phase = step.phase;
    status.phaseTransitionTimestamps.push_back({std::string(schema::nameOf(step.phase)), world_.clock.now()});
  }
  if (entered && step.phase == MigrationPhase::Failed) status.godwit.failure = failureOf(step, scene.observed);
  if (step.phase == MigrationPhase::Scheduling && status.godwit.mechanism.empty())
    status.godwit.mechanism = schema::nameOf(TRY(mechanismFor(world_, before, *scene.instance)));
  if (scene.instance && scene.observed.instance->heldByUs)
    status.migrationState = scene.instance->status.migrationState;
  if (scene.observed.cancelRequested && !kinds::isFinal(before.status.phase))
    kinds::setCondition(status.conditions,
                        {.type = std::string(kAbortRequested),
                         .status = "True",
                         .reason = std::string(scene.observed.outcomeGivenUp ? kOutcomeGivenUp : kMigrationDeleted),
                         .message = "the migration was deleted",
                         .lastTransitionTime = {}},
                        world_.clock.now());
  TRY(world_.client.changeStatus(before, after));
  announce(scene, step);
  return {};
}

void Reconciler::announce(const Scene& scene, const Step& step) const {
  for (const Announcement& one : announcementsOf(step, scene.observed)) {
    const auto type = one.good ? control::Recorder::Type::Normal : control::Recorder::Type::Warning;
    if (one.about == Announcement::About::Migration)
      world_.recorder.record(*scene.migration, type, std::string(one.reason), one.message);
    else if (scene.instance)
      world_.recorder.record(*scene.instance, type, std::string(one.reason), one.message);
  }
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
      return handOff(world_, *scene.migration, *scene.instance, {*scene.target, scene.resolved});
    case Duty::CreateMover:
      return createMover(world_, *scene.migration, scene.instance.get());
    case Duty::CancelMover:
      TRY(requestAbort(world_, *scene.migration, scene.instance.get()));
      return callOff(world_, *scene.mover, words::kCancelled);
    case Duty::TellTargetDead:
      return callOff(world_, *scene.mover, words::kTargetDead);
    case Duty::AbandonMover:
      return declareLost(world_, *scene.mover);
    case Duty::TellOptions:
      return tellOptions(world_, *scene.instance, *scene.mover, scene.resolved);
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
