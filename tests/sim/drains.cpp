#include "kinds/node.hpp"
#include "sim/simulation.hpp"

namespace godwit::sim {

void Simulation::drainHome() {
  const auto machine = get<kinds::VirtualMachineInstance>("vm");
  if (machine && !machine->status.nodeName.empty()) drain(machine->status.nodeName);
}

void Simulation::drain(const std::string& name) {
  const auto node = people_->get<kinds::Node>({"", name});
  if (!node) return;
  auto cordoned = *node;
  cordoned.spec.unschedulable = true;
  (void)people_->change(*node, cordoned);
  const auto guests = people_->list(schema::kind<kinds::VirtualMachineInstance>,
                                    {.nameSpace = "", .labelSelector = "", .fieldSelector = "status.nodeName=" + name});
  if (!guests) return;
  for (const auto& document : guests->items) {
    const auto guest = schema::view<kinds::VirtualMachineInstance>(document);
    (void)people_->post(schema::kind<kinds::Pod>, {"default", guest.status.godwit.activePod}, "eviction", {});
  }
}

void Simulation::liftCordons() {
  for (const std::string& name : hosts_)
    if (const auto node = people_->get<kinds::Node>({"", name})) {
      auto open = *node;
      open.spec.unschedulable = false;
      (void)people_->change(*node, open);
    }
}

}  // namespace godwit::sim
