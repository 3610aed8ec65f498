#pragma once

#include <cstdint>
#include <optional>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"

namespace godwit::hypervisor {

// What a guest would see of an image on this machine, in bytes. Invalid when it cannot be
// opened; nothing when its format does not say, or it is not on this machine.
Result<std::optional<std::int64_t>> imageSize(const DiskSource& source);

}  // namespace godwit::hypervisor
