#pragma once

#include <string>

#include "sim/simulation.hpp"

// What one machine lives through in a simulation.
namespace godwit::sim {

template <class T>
bool ended(const Simulation& world, const std::string& name) {
  const auto object = world.get<T>(name);
  return !object || kinds::isFinal(object->status.phase);
}

// A machine moves to shared storage, which grows, to another node, away from that when it is drained, and to a node's
// own storage - or as far as faults and cancels let it. Names the step that did not end, or nothing.
std::string liveThrough(Simulation& world);

// The machine is deleted, then - or in the same moment - all that was ever made for it. Names what is left, or nothing.
std::string clearAway(Simulation& world);

// Both; what is wrong with it: the first violation, else the step that did not end, else nothing.
std::string wrongWith(Simulation& world);

}  // namespace godwit::sim
