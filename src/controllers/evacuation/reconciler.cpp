#include "controllers/evacuation/reconciler.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kinds/eviction.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::evacuation {
namespace {

namespace words = kinds::words;

std::string nodeLeftBy(const kinds::VirtualMachineInstanceMigration& migration) {
  return object::valueOf(migration.metadata.annotations, words::kEvacuation);
}

bool isEvacuation(const kinds::VirtualMachineInstanceMigration& migration) { return !nodeLeftBy(migration).empty(); }

// The number at the end of the name; those that were made for one guest count up.
int numberOf(const kinds::VirtualMachineInstanceMigration& migration) {
  const std::string& name = migration.metadata.name;
  return std::atoi(name.substr(name.rfind('-') + 1).c_str());
}

std::optional<Timestamp> failedAt(const kinds::VirtualMachineInstanceMigration& migration) {
  return kinds::enteredAt(migration.status.phaseTransitionTimestamps, schema::nameOf(kinds::MigrationPhase::Failed));
}

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  controller.follow(world.instances);
  world.migrations.onChange([&](const Migration* before, const Migration* after) {
    const Migration& migration = after ? *after : *before;
    controller.enqueue({migration.metadata.nameSpace, migration.spec.vmiName});
  });
  world.nodes.onChange([&](const kinds::Node* before, const kinds::Node* after) {
    if (!before || !after || before->spec.unschedulable == after->spec.unschedulable) return;
    for (const auto& instance : world.instances.list())
      if (instance->status.evacuationNodeName == after->metadata.name) controller.enqueue(instance->metadata.key());
  });
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  const auto instance = world_.instances.get(key);
  if (!instance) return control::Again{};
  const Scene scene = TRY(observe(instance));
  const Step step = decide(scene.observed);
  TRY(record(scene, step));
  TRY(number(scene, step));
  TRY(perform(scene, step.duty));
  if (step.duty != Duty::Wait) return control::Again{};
  return control::Again{.after = patience(scene.observed.failures) - scene.observed.sinceFailure};
}

Result<Reconciler::Scene> Reconciler::observe(std::shared_ptr<const Instance> instance) const {
  Scene scene{.instance = std::move(instance), .ours = {}, .observed = {}};
  const auto& status = scene.instance->status;
  Observed& seen = scene.observed;
  seen.toLeave = !status.evacuationNodeName.empty();
  seen.underWay = scene.instance->moving();
  for (const auto& migration : world_.migrations.by(index::kByInstance, object::show(scene.instance->metadata.key()))) {
    const bool over = kinds::isFinal(migration->status.phase);
    seen.underWay = seen.underWay || !over;
    if (!isEvacuation(*migration)) continue;
    // One that was made just before the purpose went, unseen by whoever called the others off.
    seen.strays = seen.strays || (!seen.toLeave && !over && !migration->metadata.beingDeleted() &&
                                  nodeLeftBy(*migration) == status.nodeName);
    scene.ours.push_back(migration);
  }
  if (!seen.toLeave) return scene;
  seen.runs = status.phase == kinds::InstancePhase::Running && !scene.instance->metadata.beingDeleted();
  seen.left = status.nodeName != status.evacuationNodeName;
  seen.byOthers = scene.instance->evictionStrategy() == kinds::eviction_strategy::kExternal;
  seen.obstacle = kinds::departureOf(*scene.instance).obstacle;
  if (status.godwit.evacuationFollowsCordon) {
    const auto node = TRY(findSurely(world_, world_.nodes, {"", status.evacuationNodeName}));
    seen.cordonLifted = node && !node->spec.unschedulable;
  }
  std::sort(scene.ours.begin(), scene.ours.end(),
            [](const auto& left, const auto& right) { return numberOf(*left) < numberOf(*right); });
  for (auto last = scene.ours.rbegin(); last != scene.ours.rend(); ++last) {
    if ((*last)->status.phase != kinds::MigrationPhase::Failed) break;
    if (seen.failures++ > 0) continue;
    seen.lastFailure = (*last)->status.godwit.message;
    seen.sinceFailure = world_.clock.now() - failedAt(**last).value_or(world_.clock.now());
  }
  return scene;
}

Result<> Reconciler::record(const Scene& scene, const Step& step) const {
  Instance after = *scene.instance;
  if (step.reason.empty())
    kinds::dropCondition(after.status.conditions, kinds::kEvictionRequested);
  else
    kinds::setCondition(
        after.status.conditions,
        {std::string(kinds::kEvictionRequested), "True", std::string(step.reason), explain(step, scene.observed), {}},
        world_.clock.now());
  if (after == *scene.instance) return {};
  TRY(world_.client.changeStatus(*scene.instance, after));
  const auto* before = kinds::findCondition(scene.instance->status.conditions, kinds::kEvictionRequested);
  if (step.duty == Duty::Wait && (!before || before->reason != step.reason))
    world_.recorder.record(*scene.instance, control::Recorder::Type::Warning, std::string(step.reason),
                           explain(step, scene.observed));
  return {};
}

Result<> Reconciler::number(const Scene& scene, const Step& step) const {
  if (!scene.observed.toLeave || scene.ours.empty()) return {};
  const Migration& last = *scene.ours.back();
  Migration after = last;
  const Migration* previous = scene.ours.size() > 1 ? scene.ours.end()[-2].get() : nullptr;
  const bool again = previous && previous->status.phase == kinds::MigrationPhase::Failed;
  after.status.godwit.attempt = again ? previous->status.godwit.attempt + 1 : 1;
  if (step.duty == Duty::Wait)
    after.status.godwit.nextAttempt =
        failedAt(last).value_or(world_.clock.now()) +
        std::chrono::duration_cast<Timestamp::duration>(patience(scene.observed.failures));
  if (after == last) return {};
  TRY(world_.client.changeStatus(last, after, client::Unless::Never));
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
    case Duty::Forget:
      return forget(*scene.instance);
  }
  __builtin_unreachable();
}

// The name follows from the last one: a cache that has not seen that yet leads to one that exists.
Result<> Reconciler::begin(const Scene& scene) const {
  const Instance& instance = *scene.instance;
  Migration migration;
  migration.metadata.name =
      fmt::format("kubevirt-evacuation-{}-{}-{}", instance.metadata.name, instance.metadata.uid.substr(0, 8),
                  scene.ours.empty() ? 1 : numberOf(*scene.ours.back()) + 1);
  migration.metadata.nameSpace = instance.metadata.nameSpace;
  migration.metadata.annotations[std::string(words::kEvacuation)] = instance.status.evacuationNodeName;
  migration.spec.vmiName = instance.metadata.name;
  migration.spec.priority = kinds::MigrationPriority::SystemCritical;
  return world_.client.ensure(migration);
}

// The purpose goes last: until then whoever comes after a crash finds it, and the cordon lifted.
Result<> Reconciler::callOff(const Scene& scene) const {
  for (const auto& migration : scene.ours)
    if (!kinds::isFinal(migration->status.phase) && !migration->metadata.beingDeleted())
      TRY(world_.client.remove(*migration));
  return forget(*scene.instance);
}

Result<> Reconciler::forget(const Instance& instance) const {
  const auto fresh = TRY(world_.client.find<Instance>(instance.metadata.key()));
  if (!fresh || fresh->metadata.uid != instance.metadata.uid ||
      fresh->status.evacuationNodeName != instance.status.evacuationNodeName)
    return {};
  Instance after = *fresh;
  after.status.evacuationNodeName.clear();
  after.status.godwit.evacuationFollowsCordon = false;
  kinds::dropCondition(after.status.conditions, kinds::kEvictionRequested);
  TRY(world_.client.changeStatus(*fresh, after));
  return {};
}

}  // namespace godwit::controllers::evacuation
