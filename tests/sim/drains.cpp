#include "kinds/node.hpp"
#include "sim/simulation.hpp"

namespace godwit::sim {

void Simulation::drainHome() {
  const auto machine = get<kinds::VirtualMachineInstance>("vm");
  if (!machine || machine->status.nodeName.empty()) return;
  const auto node = people_->get<kinds::Node>({"", machine->status.nodeName});
  if (!node) return;
  auto cordoned = *node;
  cordoned.spec.unschedulable = true;
  (void)people_->change(*node, cordoned);
  (void)people_->post(schema::kind<kinds::Pod>, {"default", machine->status.godwit.activePod}, "eviction", {});
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
