#pragma once

#include "control/controller.hpp"
#include "controllers/target_volume/decide.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::target_volume {

class Reconciler final : public control::Reconciler {
 public:
  explicit Reconciler(World& world) : world_(world) {}

  // Looks again at a machine when it or its instance changes.
  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  Result<Observed> observe(const object::Document& machine) const;

  World& world_;
};

}  // namespace godwit::controllers::target_volume
