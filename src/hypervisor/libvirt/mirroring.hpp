#pragma once

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "hypervisor/libvirt/handle.hpp"

// What is done to the disks of a domain that stays where it is.
namespace godwit::hypervisor::libvirt {

// Each as the Hypervisor's function of like name says, for a domain that is known not to be on its way.
Result<> beginMirror(virDomain& domain, const std::string& disk, const DiskSource& destination,
                     std::int64_t bytesPerSecond, const std::string& through);
Result<> pivotMirror(virDomain& domain, const std::string& disk);
Result<> limitMirror(virDomain& domain, const std::string& disk, std::int64_t bytesPerSecond);
Result<> cancelMirror(virDomain& domain, const std::string& disk);
Result<> resizeDisk(virDomain& domain, const std::string& disk, std::int64_t bytes);

}  // namespace godwit::hypervisor::libvirt
