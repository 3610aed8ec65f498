#include "storage/lun_images.hpp"

#include <fmt/format.h>

#include "kinds/lun.hpp"
#include "storage/blank.hpp"

namespace godwit::storage {

Result<> LunImages::ensure(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  return onShelf(volume, [&](LunShelf& shelf) { return shelf.ensure(volume.metadata.name, bytes); });
}

Result<> LunImages::grow(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  return onShelf(volume, [&](LunShelf& shelf) { return shelf.grow(volume.metadata.name, bytes); });
}

Result<> LunImages::shrink(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  return onShelf(volume, [&](LunShelf& shelf) { return shelf.shrink(volume.metadata.name, bytes); });
}

Result<bool> LunImages::isBlank(const kinds::PersistentVolume& volume, const hypervisor::DiskSource&,
                                const std::string&) {
  bool blank = false;
  TRY(onShelf(volume, [&](LunShelf& shelf) -> Result<> {
    blank = TRY(storage::isBlank(shelf.fileOf(volume.metadata.name)));
    return {};
  }));
  return blank;
}

Result<> LunImages::remove(const kinds::PersistentVolume& volume) {
  return onShelf(volume, [&](LunShelf& shelf) { return shelf.remove(volume.metadata.name); });
}

Result<> LunImages::onShelf(const kinds::PersistentVolume& volume, const std::function<Result<>(LunShelf&)>& act) {
  const std::string directory = object::valueOf(volume.metadata.annotations, kinds::kLunDirectory);
  const std::string control = object::valueOf(volume.metadata.annotations, kinds::kLunControl);
  if (directory.empty() || control.empty())
    return fail(Code::Invalid, fmt::format("volume {} is a LUN of Godwit's, but has no annotations {} and {}",
                                           volume.metadata.name, kinds::kLunDirectory, kinds::kLunControl));
  const Lock turn(turns_);
  LunShelf shelf(directory, control);
  return act(shelf);
}

}  // namespace godwit::storage
