#pragma once

#include "control/controller.hpp"
#include "controllers/virtual_machine_instance/decide.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::virtual_machine_instance {

class Reconciler final : public control::Reconciler {
 public:
  explicit Reconciler(World& world) : world_(world) {}

  // Looks again at an instance when it, one of its pods or one of its claims changes.
  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  Result<> record(const kinds::VirtualMachineInstance& instance, const kinds::Pod* pod, const Observed& observed,
                  const Step& step);
  Result<> perform(const kinds::VirtualMachineInstance& instance, Duty duty);
  Result<> tearDown(const kinds::VirtualMachineInstance& instance);

  World& world_;
};

}  // namespace godwit::controllers::virtual_machine_instance
