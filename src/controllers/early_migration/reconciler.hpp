#pragma once

#include "control/controller.hpp"
#include "controllers/early_migration/decide.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::early_migration {

class Reconciler final : public control::Reconciler {
 public:
  explicit Reconciler(World& world) : world_(world) {}

  // Looks again when the object or its migration changes.
  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  Result<> record(const kinds::EarlyMigration& wish, const Observed& observed, const Step& step) const;
  Result<> createMigration(const kinds::EarlyMigration& wish) const;

  World& world_;
};

}  // namespace godwit::controllers::early_migration
