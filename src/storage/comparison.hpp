#pragma once

#include <cstdint>
#include <optional>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "storage/place.hpp"

namespace godwit::storage {

// The first byte of the stretch whose sector is not the same on both disks; nothing when they are equal. Both are read
// past all caches, and whoever else has them open goes on writing. Invalid when a disk has a login, whose
// password is not known here; Unavailable when one cannot be read, Timeout when nobody answers.
Result<std::optional<std::int64_t>> firstDifference(const hypervisor::DiskSource& left,
                                                    const hypervisor::DiskSource& right, const Stretch& stretch);

}  // namespace godwit::storage
