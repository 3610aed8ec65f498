#include "metrics/machines.hpp"

#include "kinds/virtual_machine.hpp"

namespace godwit::metrics {
namespace {

template <class Counts, class Key>
void shift(Counts& counts, const Key& key, int change) {
  const auto entry = counts.try_emplace(key, 0).first;
  entry->second += change;
  if (entry->second == 0) counts.erase(entry);
}

}  // namespace

Machines::Machines(const client::Client& api)
    : machines_(api, schema::kind<kinds::VirtualMachine>, readMachine,
                [this](const object::Key& key, const Machine* before, const Machine* after) {
                  count(key.nameSpace, (after ? 1 : 0) - (before ? 1 : 0));
                }),
      instances_(api, schema::kind<kinds::VirtualMachineInstance>, readInstance,
                 [this](const object::Key&, const Instance* before, const Instance* after) {
                   if (before) count(*before, -1);
                   if (after) count(*after, 1);
                 }) {}

// Of so many that reading all they say would be felt.
Machines::Instance Machines::readInstance(const object::Document& document) {
  return {object::textAt(document, {"status", "nodeName"}), object::textAt(document, {"status", "phase"})};
}

void Machines::count(const std::string& nameSpace, int change) {
  const Lock lock(mutex_);
  shift(byNamespace_, nameSpace, change);
}

void Machines::count(const Instance& instance, int change) {
  const Lock lock(mutex_);
  shift(byPhase_, instance, change);
}

void Machines::addTo(Families& families) const {
  const Lock lock(mutex_);
  auto& machines =
      families.emplace_back(familyOf({"kubevirt_number_of_vms", "The number of VMs in the cluster by namespace."}));
  for (const auto& [nameSpace, count] : byNamespace_) add(machines, {{"namespace", nameSpace}}, count);
  auto& instances = families.emplace_back(
      familyOf({"kubevirt_vmi_phase_count", "Sum of VirtualMachineInstances per phase and node."}));
  for (const auto& [instance, count] : byPhase_)
    add(instances, {{"node", instance.node}, {"phase", instance.phase}}, count);
}

}  // namespace godwit::metrics
