#pragma once

#include <optional>
#include <string>

#include "importer/image_format.hpp"
#include "importer/sparse_file.hpp"
#include "importer/unpacker.hpp"

namespace godwit::importer {

// Invalid, with both sizes, when the image is the larger one.
Result<> checkFits(std::int64_t image, std::int64_t volume);

// An image on its way into a file: unpacked, known by its first bytes, and broken off once it cannot fit.
class Arrival {
 public:
  Arrival(SparseFile& file, std::int64_t volumeBytes) : file_(file), volumeBytes_(volumeBytes) {}

  Result<> take(std::string_view bytes) { return unpacker_.take(bytes); }
  // After the last bytes. The file is whole and durable.
  Result<ImageFormat> finish();

 private:
  Result<> keep(std::string_view bytes);
  Result<> look();
  std::int64_t mostBytes() const;

  SparseFile& file_;
  const std::int64_t volumeBytes_;
  Unpacker unpacker_{[this](std::string_view bytes) { return keep(bytes); }};
  std::string head_;
  std::optional<ImageFormat> format_;
};

}  // namespace godwit::importer
