#pragma once

#include <string>
#include <vector>

#include "kinds/pod.hpp"
#include "kinds/virtual_machine_instance.hpp"
#include "kinds/volume.hpp"

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

// The generation of its VM that the instance was made from; 0 if that is not said.
std::int64_t generationOf(const VirtualMachineInstance& instance);

// What is put on a claim when a VM's disk has been taken elsewhere, before the VM, as it is now, is told of it.
std::string leavingMark(const schema::Metadata& machine);
// Whether the instance was made before its VM left the claim: what is there is old, and no guest of that VM's is to
// have it.
bool isLeftBehind(const VirtualMachineInstance& instance, const PersistentVolumeClaim& claim);

}  // namespace godwit::kinds
