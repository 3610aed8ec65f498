#pragma once

#include <memory>

#include "control/controller.hpp"

namespace godwit::control {

// A reconciler, its queue, and what wakes it.
template <class Kind, class World>
struct Unit {
  Unit(const char* name, World& world) : Unit(name, world, std::make_unique<Kind>(world)) {}
  // With another reconciler in the place of the usual one.
  Unit(const char* name, World& world, std::unique_ptr<Reconciler> other)
      : reconciler(std::move(other)), controller(name, *reconciler, world.clock) {
    Kind::listen(world, controller);
  }

  const std::unique_ptr<Reconciler> reconciler;
  Controller controller;
};

}  // namespace godwit::control
