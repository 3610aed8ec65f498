#pragma once

#include "control/controller.hpp"
#include "controllers/volume_migration/candidates.hpp"
#include "controllers/volume_migration/decide.hpp"
#include "controllers/volume_migration/keeping.hpp"
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
    way_back::Scene back = {};
    way_back::Observed backObserved = {};
    Observed observed;
  };

  Result<Scene> observe(std::shared_ptr<const kinds::VolumeMigration> wish) const;
  Result<> record(const Scene& scene, const Step& step) const;
  Result<> perform(const Scene& scene, Duty duty) const;
  Result<> createMigration(const Scene& scene) const;
  Result<> tellOptions(const Scene& scene) const;

  World& world_;
};

}  // namespace godwit::controllers::volume_migration
