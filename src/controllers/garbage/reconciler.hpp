#pragma once

#include "control/controller.hpp"
#include "controllers/world.hpp"

namespace godwit::controllers::garbage {

// Deletes objects whose owner is gone. Keys are owners' UIDs: they are looked at once the
// cache has seen the owner go, and only a server that says so itself proves it.
class Reconciler final : public control::Reconciler {
 public:
  explicit Reconciler(World& world) : world_(world) {}

  static void listen(World& world, control::Controller& controller);

  Result<control::Again> reconcile(const object::Key& ownerUid) override;

 private:
  World& world_;
};

}  // namespace godwit::controllers::garbage
