#pragma once

#include "control/controller.hpp"
#include "controllers/volume_migration/decide.hpp"
#include "controllers/volume_migration/validate.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::volume_migration {

class Reconciler final : public control::Reconciler {
 public:
  explicit Reconciler(World& world) : world_(world) {}

  // Looks again when the object, its migration, or an instance or claim that it may wait for changes.
  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  // The object, and all that the decision looks at.
  struct Scene {
    std::shared_ptr<const kinds::VolumeMigration> wish;
    Verdict verdict;
    std::shared_ptr<const kinds::VirtualMachineInstanceMigration> migration;
    std::shared_ptr<const kinds::VirtualMachine> machine;
    Observed observed;
  };

  Result<Scene> observe(std::shared_ptr<const kinds::VolumeMigration> wish) const;
  Result<Candidate> candidate(const std::string& nameSpace, const kinds::MigratedVolume& volume) const;
  Result<> record(const Scene& scene, const Step& step) const;
  Result<> perform(const Scene& scene, Duty duty) const;
  Result<> createMigration(const Scene& scene) const;
  Result<> updateMachine(const Scene& scene) const;
  Result<> reclaimSources(const Scene& scene) const;

  World& world_;
};

}  // namespace godwit::controllers::volume_migration
