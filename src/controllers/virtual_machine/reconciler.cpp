#include "controllers/virtual_machine/reconciler.hpp"

#include "controllers/owner.hpp"

namespace godwit::controllers::virtual_machine {
namespace {

Result<Observed> observe(const World& world, const kinds::VirtualMachine& machine) {
  Observed observed{
      .wanted = machine.spec.wantsToRun(), .beingDeleted = machine.metadata.beingDeleted(), .instance = {}};
  if (const auto instance = TRY(findSurely(world, world.instances, machine.metadata.key())))
    observed.instance = {instance->status.phase, instance->metadata.beingDeleted(), instance->moving()};
  return observed;
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
  world.machines.onChange(
      [&](const auto* before, const auto* after) { controller.enqueue((after ? after : before)->metadata.key()); });
  world.instances.onChange(
      [&](const auto* before, const auto* after) { controller.enqueue((after ? after : before)->metadata.key()); });
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  const auto machine = world_.machines.get(key);
  if (!machine) return control::Again{};
  const Observed observed = TRY(observe(world_, *machine));
  const Step step = decide(observed);
  TRY(record(*machine, observed, step));
  TRY(perform(*machine, step.duty));
  return control::Again{};
}

Result<> Reconciler::record(const kinds::VirtualMachine& machine, const Observed& observed, const Step& step) {
  auto after = machine;
  after.status.printableStatus = step.printableStatus;
  after.status.created = observed.instance.has_value();
  after.status.ready = observed.instance && observed.instance->phase == kinds::InstancePhase::Running;
  TRY(world_.client.changeStatus(machine, after));
  return {};
}

Result<> Reconciler::perform(const kinds::VirtualMachine& machine, Duty duty) {
  switch (duty) {
    case Duty::Rest:
      return {};
    case Duty::CreateInstance:
      return createInstance(world_, machine);
    case Duty::DeleteInstance: {
      const auto instance = TRY(findSurely(world_, world_.instances, machine.metadata.key()));
      return instance ? world_.client.remove(*instance) : Result<>{};
    }
  }
  __builtin_unreachable();
}

}  // namespace godwit::controllers::virtual_machine
