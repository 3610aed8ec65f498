#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace godwit::importer {

struct ImageFormat {
  bool isQcow2 = false;
  std::int64_t virtualBytes = 0;  // qcow2: what the guest will see

  bool operator==(const ImageFormat&) const = default;

  const char* name() const { return isQcow2 ? "qcow2" : "raw"; }  // QEMU's
};

// Enough of an image to tell its format by.
inline constexpr std::size_t kImageHead = 4096;

// What an image is by its first bytes. Invalid for a format that nobody here reads, and for a qcow2 image that
// would have QEMU open other files: whoever made the image would choose which.
Result<ImageFormat> recognise(std::string_view head);

}  // namespace godwit::importer
