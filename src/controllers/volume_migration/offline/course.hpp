#pragma once

#include "control/controller.hpp"
#include "controllers/migration/following.hpp"
#include "controllers/volume_migration/offline/copies.hpp"
#include "controllers/volume_migration/validate.hpp"

namespace godwit::controllers::volume_migration::offline {

// What becomes of a wish whose volumes are to move while no guest has them.
class Course {
 public:
  explicit Course(World& world) : world_(world) {}

  // One pass.
  Result<control::Again> goOn(const kinds::VolumeMigration& wish) const;

 private:
  // A claim that a VM has left, and the mark that says so.
  struct Leaving {
    std::shared_ptr<const kinds::PersistentVolumeClaim> claim;
    std::string mark;
  };

  // The object, and all that the decision looks at.
  struct Scene {
    const kinds::VolumeMigration& wish;
    Verdict verdict = {};
    std::vector<Copy> copies = {};
    std::vector<object::Document> machines = {};  // that name a source yet
    std::vector<Leaving> left = {};               // that lack their mark
    Observed observed = {};
  };

  Result<Scene> observe(const kinds::VolumeMigration& wish) const;
  Result<> observeMachines(Scene& scene) const;
  Result<> observeLeaving(Scene& scene, const kinds::VirtualMachine& machine) const;
  Result<> record(const Scene& scene, const Step& step) const;
  Result<> perform(const Scene& scene, Duty duty) const;
  Result<> updateMachine(const Scene& scene) const;
  Result<> clearAway(const Scene& scene) const;

  World& world_;
};

}  // namespace godwit::controllers::volume_migration::offline
