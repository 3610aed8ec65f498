#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"

namespace godwit::storage {

// The disk images within one node's reach.
class Images {
 public:
  virtual ~Images() = default;

  // An image that is there is left as it is; a new one is empty and sparse.
  // Invalid when the one that is there is smaller than `bytes`.
  virtual Result<> ensure(const hypervisor::DiskSource& image, std::int64_t bytes) = 0;
  // Removes the image and the directory that was made for it. Succeeds when there is none.
  virtual Result<> remove(const hypervisor::DiskSource& image) = 0;
};

// Files. Directories are made as needed. What is on the network is somebody else's, and left alone.
class FileImages final : public Images {
 public:
  Result<> ensure(const hypervisor::DiskSource& image, std::int64_t bytes) override;
  Result<> remove(const hypervisor::DiskSource& image) override;
};

}  // namespace godwit::storage
