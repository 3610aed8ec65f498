#pragma once

#include <string>
#include <vector>

#include "kinds/pod.hpp"
#include "kinds/virtual_machine_instance.hpp"

// Who has a claim's bytes in hands.
namespace godwit::kinds {

// The claims that the pod mounts, by name.
std::vector<std::string> claimNamesOf(const Pod& pod);
// Those that the instance has disks on, those that it is moved to, and those that its guest has yet to let go of.
std::vector<std::string> claimNamesOf(const VirtualMachineInstance& instance);

bool mounts(const Pod& pod, const std::string& claim);

// Whether the pod mounts the claim on a node, and has not ended.
bool usesClaim(const Pod& pod, const std::string& claim);
// Whether the instance has, or is about to have, a guest on the claim, or is taking one to it.
bool usesClaim(const VirtualMachineInstance& instance, const std::string& claim);

}  // namespace godwit::kinds
