#pragma once

#include <string>

#include "kinds/virtual_machine_instance.hpp"

namespace godwit::kinds {

// The condition of a guest that is to leave its node, and its reason while a migration takes it away.
inline constexpr std::string_view kEvictionRequested = "EvictionRequested";
inline constexpr std::string_view kMigrationUnderWay = "MigrationUnderWay";

// What becomes of a running guest when its node is drained, by its eviction strategy and by what it can.
struct Departure {
  enum class Way { Moves, Ends, Stays };
  Way way = Way::Moves;
  std::string obstacle;  // why it cannot move, whatever becomes of it

  bool operator==(const Departure&) const = default;
};

Departure departureOf(const VirtualMachineInstance& instance);

}  // namespace godwit::kinds
