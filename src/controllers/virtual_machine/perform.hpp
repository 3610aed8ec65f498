#pragma once

#include "controllers/virtual_machine/decide.hpp"
#include "controllers/world.hpp"

// What a VirtualMachine's steps are made of. Each is safe to repeat.
namespace godwit::controllers::virtual_machine {

// The names that its data volume templates give.
std::vector<std::string> dataVolumeNames(const kinds::VirtualMachine& machine);

Result<> turnOn(const World& world, const kinds::VirtualMachine& machine);
// One for each template, owned by the machine.
Result<> makeDataVolumes(const World& world, const kinds::VirtualMachine& machine);
// The instance gets the whole template, known fields and unknown ones.
Result<> createInstance(const World& world, const kinds::VirtualMachine& machine, bool paused);
// What the machine says about nodes becomes what its instance says. Nothing moves by it.
Result<> passOnPlacement(const World& world, const kinds::VirtualMachine& machine,
                         const kinds::VirtualMachineInstance& instance);

}  // namespace godwit::controllers::virtual_machine
