#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace godwit::storage {

// Whether nothing but zeros is in the file. Of a device only its beginning and its end are read, where filesystems,
// partition tables and volume managers write down that they are there. What does not exist is blank.
Result<bool> isBlank(const std::string& path);

// Bytes that are read and written together at the least: those of a device, or the usual 512 of all else.
Result<std::int64_t> sectorBytes(const std::string& path);

}  // namespace godwit::storage
