#pragma once

#include <string>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "hypervisor/libvirt/handle.hpp"

// A mirror writes to its destination by way of a server that has the same bytes. libvirt knows nothing of it: its own
// way there stays open, and is taken again before the guest goes on there.
namespace godwit::hypervisor::libvirt {

Result<> takeDetour(virDomain& domain, const std::string& disk, const DiskSource& destination,
                    const std::string& socket);
// All that was written by the detour is at the destination when this returns. Succeeds when there is none.
Result<> endDetour(virDomain& domain, const std::string& disk, const DiskSource& destination);
// Removes what is left of it when the mirror has ended.
void forgetDetour(virDomain& domain, const std::string& disk);

}  // namespace godwit::hypervisor::libvirt
