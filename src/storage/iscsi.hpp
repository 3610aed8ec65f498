#pragma once

#include <string>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "kinds/volume.hpp"

namespace godwit::storage {

// The LUN as a disk. Invalid names the volume, and what about it cannot be.
Result<hypervisor::DiskSource> locateLun(const std::string& volume, const kinds::IscsiVolume& iscsi);

}  // namespace godwit::storage
