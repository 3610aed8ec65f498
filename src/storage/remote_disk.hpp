#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"

// What QEMU's own drivers find of a disk on the network. The password is its login's, and is in this process' memory
// alone. Unavailable when the disk cannot be reached, Timeout when nobody answers.
namespace godwit::storage {

// Its bytes. Invalid when it is an image that needs another.
Result<std::int64_t> measureRemote(const hypervisor::DiskSource& source, const std::string& password);

// The bytes that are stored of an image that needs no login, which are fewer where nobody wrote.
Result<std::int64_t> roomOfRemote(const hypervisor::DiskSource& source);

// Whether nothing but zeros is in its first 256 MiB and its last 4: more would take too long to read.
Result<bool> isRemoteBlank(const hypervisor::DiskSource& source, const std::string& password);

// Gives an image that needs no login another size; when it is a smaller one, what was beyond is lost.
Result<> resizeRemote(const hypervisor::DiskSource& source, std::int64_t bytes);

// The same, from what `qemu-img info` says, as JSON.
Result<std::int64_t> readVirtualSize(const std::string& said);

}  // namespace godwit::storage
