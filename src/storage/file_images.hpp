#pragma once

#include "storage/images.hpp"

namespace godwit::storage {

// Volumes that are directories with an image in it; directories are made as needed. Devices and what is on the
// network are somebody else's: the former must be there, neither is made or removed, and only an image on NFS has
// its size changed.
class FileImages final : public Images {
 public:
  Result<> ensure(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<> grow(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<> shrink(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<bool> isBlank(const kinds::PersistentVolume& volume, const hypervisor::DiskSource& source,
                       const std::string& password) override;
  Result<> remove(const kinds::PersistentVolume& volume) override;
};

}  // namespace godwit::storage
