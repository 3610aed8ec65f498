#include "controllers/virtual_machine_instance/reconciler.hpp"

#include "controllers/claim_names.hpp"
#include "controllers/dead_node.hpp"
#include "controllers/launcher_pod.hpp"
#include "controllers/unfilled.hpp"
#include "controllers/virtual_machine/describe.hpp"
#include "controllers/virtual_machine_instance/stray_hold.hpp"
#include "controllers/virtual_machine_instance/volumes.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::virtual_machine_instance {
namespace {

namespace words = kinds::words;

object::Key activePod(const kinds::VirtualMachineInstance& instance) {
  const std::string& active = instance.status.godwit.activePod;
  return {instance.metadata.nameSpace, active.empty() ? launcherName(instance) : active};
}

Observed observe(const kinds::VirtualMachineInstance& instance, const kinds::Pod* pod) {
  Observed observed{.phase = instance.status.phase,
                    .reason = instance.status.reason,
                    .beingDeleted = instance.metadata.beingDeleted(),
                    .moving = instance.moving(),
                    .volumesUnfilled = false,
                    .pod = {}};
  if (!pod) return observed;
  const kinds::Condition* scheduled = kinds::findCondition(pod->status.conditions, "PodScheduled");
  const bool refused = scheduled && scheduled->status == "False";
  observed.pod = Observed::Pod{.node = pod->spec.nodeName,
                               .phase = pod->status.phase,
                               .message = refused ? scheduled->message : pod->status.message,
                               .unschedulable = refused,
                               .lost = isLost(*pod)};
  return observed;
}

// Whether the guest stands still because somebody asked for it, as its node says.
bool isPaused(const Step& step, const kinds::Pod* pod) {
  return step.phase == InstancePhase::Running && pod && kinds::isTrue(pod->status.conditions, "Paused");
}

void describePause(std::vector<kinds::Condition>& conditions, bool paused, Timestamp now) {
  if (!paused) return kinds::dropCondition(conditions, "Paused");
  kinds::setCondition(conditions,
                      {.type = "Paused",
                       .status = "True",
                       .reason = "PausedByUser",
                       .message = "VMI was paused by user",
                       .lastTransitionTime = {}},
                      now);
}

kinds::Condition readiness(const Step& step, const kinds::Pod* pod, const Observed& observed) {
  const bool running = step.phase == InstancePhase::Running && step.reason != "WaitingForMove";
  const kinds::Condition* podReady = pod ? kinds::findCondition(pod->status.conditions, "Ready") : nullptr;
  if (running && podReady && podReady->reason == kNodeUnreachable) return *podReady;
  if (isPaused(step, pod))
    return {.type = "Ready",
            .status = "False",
            .reason = "GuestNotRunning",
            .message = "Guest VM is not reported as running",
            .lastTransitionTime = {}};
  kinds::Condition ready{.type = "Ready",
                         .status = running ? "True" : "False",
                         .reason = std::string(step.reason),
                         .message = "",
                         .lastTransitionTime = {}};
  if (!running && observed.pod) ready.message = observed.pod->message;
  if (step.reason == "WaitingForMove") ready.message += "; its migration has yet to say where the guest is";
  return ready;
}

// Conflict until a machine that is to go on has on record where the instance's volumes are.
Result<> checkMachineKnows(const World& world, const kinds::VirtualMachineInstance& instance) {
  const object::Key key = instance.metadata.key();
  const auto machine = TRY(world.client.find<kinds::VirtualMachine>(key));
  if (!machine || machine->metadata.beingDeleted()) return {};
  for (const auto& migration : world.migrations.by(index::kByInstance, object::show(key)))
    if (mayMoveVolumes(*migration))
      return fail(Code::Conflict, "migration " + migration->metadata.name + " has yet to say where the volumes are");
  if (machine->status.godwit.volumes == volumesInUse(instance.spec)) return {};
  return fail(Code::Conflict, "its VM has yet to note which claims it uses");
}

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  controller.follow(world.instances);
  world.dataVolumes.onChange([&](const kinds::DataVolume* before, const kinds::DataVolume* after) {
    for (const auto& user : world.instances.by(index::kByClaim, object::show((after ? after : before)->metadata.key())))
      controller.enqueue(user->metadata.key());
  });
  world.pods.onChange([&](const kinds::Pod* before, const kinds::Pod* after) {
    const kinds::Pod& pod = after ? *after : *before;
    const auto name = pod.metadata.labels.find(std::string(words::kVmiName));
    if (name != pod.metadata.labels.end()) controller.enqueue({pod.metadata.nameSpace, name->second});
  });
  world.migrations.onChange([&](const auto* before, const auto* after) {
    const kinds::VirtualMachineInstanceMigration& migration = after ? *after : *before;
    if (!after || kinds::isFinal(after->status.phase))
      controller.enqueue({migration.metadata.nameSpace, migration.spec.vmiName});
  });
  world.claims.onChange([&](const auto* before, const auto* after) {
    const object::Key key = (after ? after : before)->metadata.key();
    for (const auto& instance : world.instances.by(index::kByClaim, object::show(key)))
      controller.enqueue(instance->metadata.key());
  });
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  const auto instance = world_.instances.get(key);
  if (!instance) return control::Again{};
  if (TRY(isHeldByNobody(world_, *instance))) {
    TRY(world_.client.change(*instance, released(*instance, world_.clock.now())));
    return control::Again{};
  }
  const auto pod = TRY(findSurely(world_, world_.pods, activePod(*instance)));
  Observed observed = observe(*instance, pod.get());
  observed.volumesUnfilled = !unfilledOf(world_, *instance).empty();
  const Step step = decide(observed);
  TRY(record(*instance, pod.get(), observed, step));
  TRY(perform(*instance, dutyOf(step.phase, observed)));
  if (step.phase == InstancePhase::Running && !observed.beingDeleted) TRY(chooseNodeForPlugs(world_, *instance));
  return control::Again{};
}

Result<> Reconciler::record(const kinds::VirtualMachineInstance& instance, const kinds::Pod* pod,
                            const Observed& observed, const Step& step) {
  auto after = instance;
  auto& status = after.status;
  status.reason = step.reason;
  kinds::setCondition(status.conditions, readiness(step, pod, observed), world_.clock.now());
  describePause(status.conditions, isPaused(step, pod), world_.clock.now());
  if (step.phase == InstancePhase::Running) TRY(describeMobility(world_, after));
  if (step.phase != instance.status.phase) {
    status.phase = step.phase;
    status.phaseTransitionTimestamps.push_back({std::string(schema::nameOf(step.phase)), world_.clock.now()});
  }
  if (instance.status.phase == InstancePhase::Unset && !instance.metadata.beingDeleted()) {
    after.metadata.finalizers.emplace_back(words::kInstanceFinalizer);
    if (instance.spec.startStrategy == "Paused") after.metadata.annotations[std::string(words::kPaused)] = "true";
  }
  if (instance.status.phase == InstancePhase::Scheduling && step.phase == InstancePhase::Scheduled) {
    status.nodeName = pod->spec.nodeName;
    status.godwit.activePod = pod->metadata.name;
    status.activePods = {{pod->metadata.uid, pod->spec.nodeName}};
  }
  if (after == instance) return {};
  TRY(world_.client.change(instance, after));
  if (step.phase != instance.status.phase)
    world_.recorder.record(instance, control::Recorder::Type::Normal, std::string(step.reason),
                           "The instance is " + std::string(schema::nameOf(step.phase)) + ".");
  return {};
}

Result<> Reconciler::perform(const kinds::VirtualMachineInstance& instance, Duty duty) {
  switch (duty) {
    case Duty::Rest:
      return {};
    case Duty::CreatePod:
      return world_.client.ensure(renderLauncher(instance));
    case Duty::TearDown:
      return tearDown(instance);
  }
  __builtin_unreachable();
}

// The instance goes only after all its pods: whoever recreates it must not find a guest still running. And it
// goes only after its machine knows which claims have the guest's data.
Result<> Reconciler::tearDown(const kinds::VirtualMachineInstance& instance) {
  const auto pods = TRY(world_.client.list(
      schema::kind<kinds::Pod>, {.nameSpace = instance.metadata.nameSpace,
                                 .labelSelector = std::string(words::kCreatedBy) + "=" + instance.metadata.uid,
                                 .fieldSelector = ""}));
  for (const object::Document& document : pods.items) {
    const auto pod = schema::view<kinds::Pod>(document);
    if (!pod.metadata.beingDeleted()) TRY(world_.client.remove(pod));
  }
  if (!pods.items.empty()) return {};
  TRY(checkMachineKnows(world_, instance));
  return world_.client.letGo(instance, words::kInstanceFinalizer);
}

}  // namespace godwit::controllers::virtual_machine_instance
