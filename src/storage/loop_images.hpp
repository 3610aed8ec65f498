#pragma once

#include "storage/images.hpp"

namespace godwit::storage {

// Volumes of the block provisioner: a directory with the bytes in a file, and a link to the loop device that shows
// them. The link is the volume's path: it stays the same, whichever device the kernel has free.
class LoopImages final : public Images {
 public:
  Result<> ensure(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<> grow(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<> shrink(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<bool> isBlank(const kinds::PersistentVolume& volume, const hypervisor::DiskSource& source,
                       const std::string& password) override;
  Result<> remove(const kinds::PersistentVolume& volume) override;
};

// Gives back the devices of all such volumes below the directory. They are the kernel's, and outlive the nodes that
// attached them, killed or not; the bytes stay, and whoever prepares the volume next attaches them again.
Result<> detachAllBelow(const std::string& directory);

}  // namespace godwit::storage
