#pragma once

#include <map>
#include <string>

#include "kinds/pod.hpp"
#include "kinds/virtual_machine_instance.hpp"

// The pods that stand for a guest: their names, and what they ask of a node.
namespace godwit::controllers {

// The pod that an instance starts in. The same instance always gets the same name.
std::string launcherName(const kinds::VirtualMachineInstance& instance);

// A pod that runs the instance's domain. It belongs to the instance, and its node must let go of it.
kinds::Pod renderLauncher(const kinds::VirtualMachineInstance& instance);

}  // namespace godwit::controllers
