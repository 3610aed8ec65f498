#include "storage/node_images.hpp"

#include "kinds/expansion.hpp"
#include "kinds/words.hpp"
#include "storage/remote_disk.hpp"

namespace godwit::storage {

// Who made a volume stands in an annotation of it. Those that people made are looked after as files.
Images& NodeImages::keeperOf(const kinds::PersistentVolume& volume) {
  const std::string maker = object::valueOf(volume.metadata.annotations, kinds::words::kProvisionedBy);
  if (maker == kinds::words::kBlockProvisioner) return devices_;
  if (maker == kinds::words::kIscsiProvisioner) return luns_;
  return files_;
}

Result<> NodeImages::ensure(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  return keeperOf(volume).ensure(volume, bytes);
}

Result<> NodeImages::grow(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  return keeperOf(volume).grow(volume, bytes);
}

Result<std::optional<std::int64_t>> NodeImages::measure(const kinds::PersistentVolume& volume,
                                                        const hypervisor::DiskSource& source,
                                                        const std::string& password) {
  if (source.type != hypervisor::DiskSource::Type::Network || kinds::isOurs(volume)) return std::nullopt;
  return TRY(measureRemote(source, password).map_error([&](Error error) {
    return within("volume " + volume.metadata.name, std::move(error));
  }));
}

Result<> NodeImages::shrink(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  return keeperOf(volume).shrink(volume, bytes);
}

Result<bool> NodeImages::isBlank(const kinds::PersistentVolume& volume, const hypervisor::DiskSource& source,
                                 const std::string& password) {
  return keeperOf(volume).isBlank(volume, source, password);
}

Result<> NodeImages::remove(const kinds::PersistentVolume& volume) { return keeperOf(volume).remove(volume); }

}  // namespace godwit::storage
