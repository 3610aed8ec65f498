#pragma once

#include <string>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "kinds/volume.hpp"

namespace godwit::storage {

// Images of other machines as disks. Invalid names the volume, and what about it cannot be.
Result<hypervisor::DiskSource> locateOnNfs(const std::string& volume, const kinds::NfsVolume& nfs,
                                           const std::string& format);
Result<hypervisor::DiskSource> locateInCeph(const std::string& volume, const kinds::RbdVolume& rbd);

}  // namespace godwit::storage
