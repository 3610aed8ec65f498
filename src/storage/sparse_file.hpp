#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace godwit::storage {

// Makes an empty file of that size where there is none, in a directory that is made as needed. One that is there
// stays as it is.
Result<> ensureSparseFile(const std::string& path, std::int64_t bytes);

// Removes the file and the directory that was made for it. Succeeds when there is none.
Result<> removeFile(const std::string& path);

}  // namespace godwit::storage
