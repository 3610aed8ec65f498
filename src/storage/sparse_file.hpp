#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.hpp"

namespace godwit::storage {

// As many bytes, or the few more with which a device ends: it has whole sectors.
constexpr std::int64_t wholeSectors(std::int64_t bytes) { return (bytes + 511) / 512 * 512; }

// Has a file made where there is none, in a directory that is made as needed. One that is there stays as it is.
Result<> ensureFile(const std::string& path, const std::function<Result<>(const std::string&)>& make);

// The same of an empty file of that size.
Result<> ensureSparseFile(const std::string& path, std::int64_t bytes);

// Makes the file as large as `bytes`; one that is so already, or is not there, is left alone.
Result<> growFile(const std::string& path, std::int64_t bytes);

// Makes the file no larger than `bytes`; one that is not there is left alone.
Result<> shrinkFile(const std::string& path, std::int64_t bytes);

// Removes the file and the directory that was made for it. Succeeds when there is none.
Result<> removeFile(const std::string& path);

}  // namespace godwit::storage
