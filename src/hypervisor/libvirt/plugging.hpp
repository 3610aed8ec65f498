#pragma once

#include <string>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "hypervisor/libvirt/handle.hpp"

// Disks that come to a running domain, and go. Both succeed when it is already so.
namespace godwit::hypervisor::libvirt {

// Conflict when the domain has another disk of that target.
Result<> attach(virDomain& domain, const Disk& disk);
// Asks the guest to let go. Conflict when the disk is mirrored.
Result<> detach(virDomain& domain, const std::string& disk);

}  // namespace godwit::hypervisor::libvirt
