#pragma once

#include "control/controller.hpp"
#include "controllers/volume/decide.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::volume {

// Says what state a volume is in, and lets go of one whose claim is gone as its policy says.
class Reconciler final : public control::Reconciler {
 public:
  explicit Reconciler(World& world) : world_(world) {}

  // Looks again at a volume when it, or its claim, changes.
  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  World& world_;
};

}  // namespace godwit::controllers::volume
