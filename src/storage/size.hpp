#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"

namespace godwit::storage {

// Invalid, with both numbers, when the volume's bytes are on this machine and fewer than `bytes`.
Result<> checkSize(const std::string& volume, const hypervisor::DiskSource& source, std::int64_t bytes);

// Invalid, with both numbers, when there are fewer bytes than are needed.
Result<> checkRoom(const std::string& volume, const std::string& path, std::int64_t there, std::int64_t needed);

}  // namespace godwit::storage
