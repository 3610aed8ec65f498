#include "controllers/evacuation/reconciler.hpp"

#include <fmt/format.h>

#include "controllers/new_migration.hpp"
#include "kinds/eviction.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::evacuation {
namespace {

namespace words = kinds::words;

std::string nodeLeftBy(const kinds::VirtualMachineInstanceMigration& migration) {
  return object::valueOf(migration.metadata.annotations, words::kEvacuation);
}

bool isEvacuation(const kinds::VirtualMachineInstanceMigration& migration) { return !nodeLeftBy(migration).empty(); }

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
  if (scene.observed.toLeave) TRY(number(world_, scene.ours, step.duty == Duty::Wait));
  TRY(perform(scene, step.duty));
  if (step.duty != Duty::Wait) return control::Again{};
  return control::Again{.after = patience(scene.observed.failures.count) - scene.observed.failures.sinceLast};
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
  sortByNumber(scene.ours);
  seen.failures = failuresAtTheEnd(scene.ours, world_.clock.now());
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
  auto migration = newMigration(instance.metadata.nameSpace,
                                fmt::format("kubevirt-evacuation-{}-{}-{}", instance.metadata.name,
                                            instance.metadata.uid.substr(0, 8), nextNumber(scene.ours)),
                                instance.metadata.name);
  migration.metadata.annotations[std::string(words::kEvacuation)] = instance.status.evacuationNodeName;
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
