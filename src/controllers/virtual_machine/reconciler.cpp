#include "controllers/virtual_machine/reconciler.hpp"

#include <algorithm>

#include "controllers/owner.hpp"
#include "controllers/virtual_machine_instance/decide.hpp"

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
  const auto wishes = world.volumeMigrations.list();
  return std::any_of(wishes.begin(), wishes.end(), [&](const auto& wish) {
    return wish->metadata.nameSpace == machine.nameSpace && wish->status.virtualMachineInstanceName == machine.name &&
           !kinds::isFinal(wish->status.phase);
  });
}

Observed observe(const World& world, const kinds::VirtualMachine& machine,
                 const kinds::VirtualMachineInstance* instance) {
  const Timestamp now = world.clock.now();
  Observed observed{.wanted = machine.spec.wantsToRun(),
                    .beingDeleted = machine.metadata.beingDeleted(),
                    .instance = {},
                    .failure = machine.status.startFailure,
                    .now = now};
  if (instance)
    observed.instance = {instance->status.phase,
                         instance->metadata.beingDeleted(),
                         instance->moving(),
                         instance->status.reason == virtual_machine_instance::kWaitingForDataVolume,
                         instance->metadata.uid,
                         timeRun(*instance, now),
                         volumesMove(world, machine.metadata.key())};
  return observed;
}

kinds::Condition readiness(const kinds::VirtualMachineInstance* instance) {
  const kinds::Condition* ready = instance ? kinds::findCondition(instance->status.conditions, "Ready") : nullptr;
  if (ready) return *ready;
  kinds::Condition unready{.type = "Ready", .status = "False", .reason = "", .message = "", .lastTransitionTime = {}};
  unready.reason = instance ? "VMINotReady" : "VMINotExists";
  unready.message = instance ? "VMI has not said how it is" : "VMI does not exist";
  return unready;
}

// Stays until the machine runs, or is no longer to run: the instance that failed is gone long before.
void describeFailure(kinds::VirtualMachineStatus& status, const kinds::VirtualMachineStatus& before,
                     const kinds::Condition& ready, Timestamp now) {
  if (!status.startFailure || ready.status == "True") {
    std::erase_if(status.conditions, [](const kinds::Condition& condition) { return condition.type == "Failure"; });
  } else if (status.startFailure != before.startFailure) {
    kinds::setCondition(status.conditions,
                        {.type = "Failure",
                         .status = "True",
                         .reason = ready.reason,
                         .message = ready.message,
                         .lastTransitionTime = {}},
                        now);
  }
}

// The instance gets the whole template, known fields and unknown ones.
Result<> createInstance(const World& world, const kinds::VirtualMachine& machine) {
  const object::Document fresh = TRY(world.client.get(schema::kind<kinds::VirtualMachine>, machine.metadata.key()));
  const json::value* wanted = object::find(fresh, {"spec", "template"});
  if (!wanted || !wanted->is_object()) return fail(Code::Invalid, "spec.template is missing");
  object::Document instance = wanted->as_object();
  schema::Metadata metadata = schema::view<schema::Metadata>(instance["metadata"]);
  metadata.name = machine.metadata.name;
  metadata.nameSpace = machine.metadata.nameSpace;
  metadata.ownerReferences = {ownerReference(machine)};
  instance["metadata"] = schema::write(metadata);
  return world.client.ensure(schema::kind<kinds::VirtualMachineInstance>, std::move(instance));
}

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  controller.follow(world.machines);
  controller.follow(world.instances);
  world.volumeMigrations.onChange([&](const kinds::VolumeMigration* before, const kinds::VolumeMigration* after) {
    const kinds::VolumeMigration& wish = after ? *after : *before;
    controller.enqueue({wish.metadata.nameSpace, wish.status.virtualMachineInstanceName});
  });
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  const auto machine = world_.machines.get(key);
  if (!machine) return control::Again{};
  const auto instance = TRY(findSurely(world_, world_.instances, key));
  const Observed observed = observe(world_, *machine, instance.get());
  const Step step = decide(observed);
  TRY(record(*machine, instance.get(), failureAfter(observed), step));
  TRY(perform(*machine, instance.get(), step.duty));
  const auto& failure = observed.failure;
  if (instance || !failure || !failure->retryAfterTimestamp) return control::Again{};
  return control::Again{.after = std::max<Duration>(*failure->retryAfterTimestamp - observed.now, 0s)};
}

Result<> Reconciler::record(const kinds::VirtualMachine& machine, const kinds::VirtualMachineInstance* instance,
                            const std::optional<kinds::StartFailure>& failure, const Step& step) {
  auto after = machine;
  const Timestamp now = world_.clock.now();
  const kinds::Condition ready = readiness(instance);
  after.status.printableStatus = step.printableStatus;
  after.status.created = instance != nullptr;
  after.status.ready = ready.status == "True";
  after.status.startFailure = failure;
  kinds::setCondition(after.status.conditions, ready, now);
  describeFailure(after.status, machine.status, ready, now);
  TRY(world_.client.changeStatus(machine, after));
  return {};
}

Result<> Reconciler::perform(const kinds::VirtualMachine& machine, const kinds::VirtualMachineInstance* instance,
                             Duty duty) {
  switch (duty) {
    case Duty::Rest:
      return {};
    case Duty::CreateInstance:
      return createInstance(world_, machine);
    case Duty::DeleteInstance:
      return instance ? world_.client.remove(*instance) : Result<>{};
  }
  __builtin_unreachable();
}

}  // namespace godwit::controllers::virtual_machine
