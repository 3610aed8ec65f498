#pragma once

#include "control/controller.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::pod {

// Lets go of pods that are deleted before they came to a node: no node will.
class Reconciler final : public control::Reconciler {
 public:
  explicit Reconciler(World& world) : world_(world) {}

  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  World& world_;
};

}  // namespace godwit::controllers::pod
