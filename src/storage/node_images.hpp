#pragma once

#include "storage/file_images.hpp"
#include "storage/loop_images.hpp"
#include "storage/lun_images.hpp"

namespace godwit::storage {

// All volumes of a node: each is left to the class that knows how who made it makes volumes.
class NodeImages final : public Images {
 public:
  Result<> ensure(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<> grow(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<> shrink(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<bool> isBlank(const kinds::PersistentVolume& volume, const hypervisor::DiskSource& source,
                       const std::string& password) override;
  Result<> remove(const kinds::PersistentVolume& volume) override;
  Result<std::optional<std::int64_t>> measure(const kinds::PersistentVolume& volume,
                                              const hypervisor::DiskSource& source,
                                              const std::string& password) override;

 private:
  Images& keeperOf(const kinds::PersistentVolume& volume);

  FileImages files_;
  LoopImages devices_;
  LunImages luns_;
};

}  // namespace godwit::storage
