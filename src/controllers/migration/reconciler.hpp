#pragma once

#include "control/controller.hpp"
#include "controllers/migration/decide.hpp"
#include "controllers/migration/options.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::migration {

class Reconciler : public control::Reconciler {
 public:
  explicit Reconciler(World& world) : world_(world) {}

  // Looks again at a migration when it, its instance, or one of its pods changes.
  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 protected:
  using Migration = kinds::VirtualMachineInstanceMigration;
  using Instance = kinds::VirtualMachineInstance;

  // The migration, and all that the decision looks at.
  struct Scene {
    std::shared_ptr<const Migration> migration;
    std::shared_ptr<const Instance> instance;
    std::shared_ptr<const kinds::Pod> target;
    std::shared_ptr<const kinds::Pod> mover;
    Resolved resolved;
    Observed observed;
  };

  Result<std::optional<Scene>> observe(const object::Key& key) const;
  // Its place among all others, in so far as it needs one.
  Result<std::optional<kinds::QueuePlace>> takeTurn(const Scene& scene) const;
  Result<> record(const Scene& scene, const Step& step) const;
  void announce(const Scene& scene, const Step& step) const;
  Result<> perform(const Scene& scene, Duty duty) const;

  World& world_;
};

}  // namespace godwit::controllers::migration
