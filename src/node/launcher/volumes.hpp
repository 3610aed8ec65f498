#pragma once

#include <string>
#include <vector>

#include "node/container_disks.hpp"
#include "node/site.hpp"

// The volumes of a guest, as its node deals with them.
namespace godwit::node::launcher {

// The instance's disks on the claims of the pod, every image in place and every password told.
Result<std::vector<hypervisor::Disk>> prepareDisks(const Site& site, const ContainerDisks& containerDisks,
                                                   const kinds::Pod& pod,
                                                   const kinds::VirtualMachineInstance& instance);

// For people: the names of the volumes behind the pod's claims, and of the Secrets that they are logged in to by.
std::string volumeNames(const Site& site, const kinds::Pod& pod);

// Gives the guest the disks that its instance names and that may come while it runs, and takes those away that it no
// longer names; puts what has become of all of them on record. False while something is awaited.
Result<bool> plugDisks(const Site& site, const kinds::VirtualMachineInstance& instance,
                       const std::vector<hypervisor::DiskState>& attached);

}  // namespace godwit::node::launcher
