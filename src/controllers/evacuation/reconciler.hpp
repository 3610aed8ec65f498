#pragma once

#include "control/controller.hpp"
#include "controllers/attempts.hpp"
#include "controllers/evacuation/decide.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::evacuation {

// Moves guests away from nodes that they are to leave, and stops when that is taken back by lifting the cordon.
class Reconciler final : public control::Reconciler {
 public:
  explicit Reconciler(World& world) : world_(world) {}

  // Looks again at an instance when it, its node or one of its migrations changes.
  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  using Instance = kinds::VirtualMachineInstance;
  using Migration = kinds::VirtualMachineInstanceMigration;

  struct Scene {
    std::shared_ptr<const Instance> instance;
    Attempts ours;  // begun for this purpose, the oldest first
    Observed observed;
  };

  Result<Scene> observe(std::shared_ptr<const Instance> instance) const;
  Result<> record(const Scene& scene, const Step& step) const;
  Result<> perform(const Scene& scene, Duty duty) const;
  Result<> begin(const Scene& scene) const;
  Result<> callOff(const Scene& scene) const;
  Result<> forget(const Instance& instance) const;

  World& world_;
};

}  // namespace godwit::controllers::evacuation
