#pragma once

#include "base/random.hpp"
#include "hypervisor/simulated/state.hpp"

// How a migration goes on, and how it ends when something happens to one of its sides. Every ending takes
// the journey off the fabric's list.
namespace godwit::hypervisor::simulated {

// One step, or none: how long a phase takes is up to the dice.
void advance(FabricState& fabric, std::list<Journey>::iterator journey, Random& random);

// The daemon of one side has died, or its host has; the other side does what libvirt does.
// The guest goes on at the target, and its memory follows.
void leaveBehind(Journey& journey, SimulatedGuest& leaving);

void loseDaemon(FabricState& fabric, SimulatedHost& host);
void losePower(FabricState& fabric, SimulatedHost& host);
// A guest of the journey was removed on one side while it was on its way.
void loseGuest(FabricState& fabric, SimulatedHost& host, const std::string& domain);

}  // namespace godwit::hypervisor::simulated
