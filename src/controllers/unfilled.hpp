#pragma once

#include <string>

#include "controllers/world.hpp"

namespace godwit::controllers {

// A sentence about the DataVolume that the claim is made by and that has not filled it yet; empty when there is none.
std::string unfilledBehind(const World& world, const kinds::PersistentVolumeClaim& claim);

// The same for the first of the instance's claims that has one.
std::string unfilledOf(const World& world, const kinds::VirtualMachineInstance& instance);

}  // namespace godwit::controllers
