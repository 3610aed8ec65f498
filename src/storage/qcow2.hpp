#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

// Images that take only the room that is written to. Nobody else may have them open.
namespace godwit::storage {

// Makes an empty one, whatever is there.
Result<> makeQcow2(const std::string& path, std::int64_t bytes);

// Makes it as large as `bytes`; one that is so already, or is not there, is left alone.
Result<> growQcow2(const std::string& path, std::int64_t bytes);

// Makes it no larger than `bytes`; what was beyond is lost. One that is not there is left alone.
Result<> shrinkQcow2(const std::string& path, std::int64_t bytes);

// Whether a guest would read nothing but zeros. What does not exist is blank.
Result<bool> isQcow2Blank(const std::string& path);

}  // namespace godwit::storage
