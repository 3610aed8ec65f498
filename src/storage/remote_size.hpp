#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"

namespace godwit::storage {

// Bytes of a disk on the network, as QEMU's own drivers find them there. The password is its login's, and is in this
// process' memory alone. Unavailable when the disk cannot be reached, Timeout when nobody answers.
Result<std::int64_t> measureRemote(const hypervisor::DiskSource& source, const std::string& password);

// What `qemu-img info` says, as JSON.
Result<std::int64_t> readVirtualSize(const std::string& said);

}  // namespace godwit::storage
