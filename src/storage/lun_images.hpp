#pragma once

#include <functional>

#include "base/mutex.hpp"
#include "storage/images.hpp"
#include "storage/lun_shelf.hpp"

namespace godwit::storage {

// Volumes of the iSCSI provisioner. Where the daemon and its files are stands in annotations of the volume.
class LunImages final : public Images {
 public:
  Result<> ensure(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<> grow(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<> shrink(const kinds::PersistentVolume& volume, std::int64_t bytes) override;
  Result<bool> isBlank(const kinds::PersistentVolume& volume, const hypervisor::DiskSource& source,
                       const std::string& password) override;
  Result<> remove(const kinds::PersistentVolume& volume) override;

 private:
  Result<> onShelf(const kinds::PersistentVolume& volume, const std::function<Result<>(LunShelf&)>& act);

  Mutex turns_;  // of this process' threads
};

}  // namespace godwit::storage
