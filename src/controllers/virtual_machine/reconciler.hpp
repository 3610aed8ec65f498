#pragma once

#include "control/controller.hpp"
#include "controllers/virtual_machine/decide.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::virtual_machine {

class Reconciler final : public control::Reconciler {
 public:
  explicit Reconciler(World& world) : world_(world) {}

  // Looks again at a machine when it, or its instance, changes.
  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  Result<> record(const kinds::VirtualMachine& machine, const kinds::VirtualMachineInstance* instance,
                  const std::optional<kinds::StartFailure>& failure, const Step& step);
  Result<> perform(const kinds::VirtualMachine& machine, const kinds::VirtualMachineInstance* instance, Duty duty);

  World& world_;
};

}  // namespace godwit::controllers::virtual_machine
