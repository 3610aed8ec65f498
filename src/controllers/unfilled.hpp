#pragma once

#include <string>

#include "controllers/world.hpp"

namespace godwit::controllers {

// A sentence about the DataVolume that the claim is made by and that has not filled it yet; empty when there is none.
std::string unfilledBehind(const World& world, const kinds::PersistentVolumeClaim& claim);

// Whether that DataVolume is a blank one that only waits for somebody to say where: whoever comes to use the claim
// does.
bool waitsOnlyForUser(const World& world, const kinds::PersistentVolumeClaim& claim);

// The sentence about the first of the instance's claims that has one.
std::string unfilledOf(const World& world, const kinds::VirtualMachineInstance& instance);

}  // namespace godwit::controllers
