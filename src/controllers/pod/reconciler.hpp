#pragma once

#include "control/controller.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::pod {

// Lets go of pods that no node will let go of: those that are deleted before they came to a node, and those
// whose node is known to be dead, which are declared lost first.
class Reconciler final : public control::Reconciler {
 public:
  explicit Reconciler(World& world) : world_(world) {}

  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& key) override;

 private:
  Result<> settle(const kinds::Pod& pod) const;
  Result<bool> isAwaited(const kinds::Pod& pod) const;
  Result<> release(const kinds::Pod& pod) const;

  World& world_;
};

}  // namespace godwit::controllers::pod
