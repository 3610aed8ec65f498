#pragma once

#include "control/controller.hpp"
#include "controllers/virtual_machine/decide.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::virtual_machine {

class Reconciler final : public control::Reconciler {
 public:
  explicit Reconciler(World& world) : world_(world) {}

  // Looks again at a machine when it, its instance, or what its volumes are made of changes.
  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  Result<Observed::Volumes> volumesOf(const kinds::VirtualMachine& machine,
                                      const kinds::VirtualMachineInstance* instance) const;
  Result<std::string> recoveryNeeded(const kinds::VirtualMachine& machine,
                                     const kinds::VirtualMachineInstance* instance) const;
  Result<> record(const kinds::VirtualMachine& machine, const kinds::VirtualMachineInstance* instance,
                  const Observed& observed, const Step& step, const std::string& recovery);
  Result<> perform(const kinds::VirtualMachine& machine, const kinds::VirtualMachineInstance* instance, Duty duty);

  World& world_;
};

}  // namespace godwit::controllers::virtual_machine
