#pragma once

#include <string>

#include "kinds/virtual_machine_instance.hpp"

namespace godwit::kinds {

// What becomes of a running guest when its node is drained, by its eviction strategy and by what it can.
struct Departure {
  enum class Way { Moves, Ends, Stays };
  Way way = Way::Moves;
  std::string obstacle;  // why it cannot move, whatever becomes of it

  bool operator==(const Departure&) const = default;
};

Departure departureOf(const VirtualMachineInstance& instance);

}  // namespace godwit::kinds
