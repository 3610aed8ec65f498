#pragma once

#include "control/controller.hpp"
#include "controllers/attempts.hpp"
#include "controllers/volume_update/decide.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::volume_update {

class Reconciler final : public control::Reconciler {
 public:
  explicit Reconciler(World& world) : world_(world) {}

  // Looks again at a machine when it, its instance, a migration of it or one of the claims that it names changes.
  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  struct Scene {
    std::shared_ptr<const kinds::VirtualMachine> machine;
    std::shared_ptr<const kinds::VirtualMachineInstance> instance;
    std::vector<kinds::MigratedVolumeStatus> changes;  // that are asked for
    std::string purpose;                               // what attempts of earlier edits do not have
    Attempts ours;                                     // of this purpose
    Attempts all;                                      // of any
    Observed observed;
  };

  Result<Scene> observe(std::shared_ptr<const kinds::VirtualMachine> machine,
                        std::shared_ptr<const kinds::VirtualMachineInstance> instance) const;
  void observeMigrations(Scene& scene) const;
  Result<> judge(Scene& scene) const;
  Result<> record(const Scene& scene, const Step& step) const;
  Result<> perform(const Scene& scene, Duty duty) const;
  Result<> begin(const Scene& scene) const;
  Result<> callOff(const Scene& scene) const;

  World& world_;
};

}  // namespace godwit::controllers::volume_update
