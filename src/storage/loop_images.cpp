#include "storage/loop_images.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "storage/blank.hpp"
#include "storage/disks.hpp"
#include "storage/loop_device.hpp"
#include "storage/size.hpp"
#include "storage/sparse_file.hpp"

namespace godwit::storage {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBackingFile = "backing.img";
struct LoopPlace {
  hypervisor::DiskSource device;  // its path is the link's
  std::string backing;
};

Result<LoopPlace> placeOf(const kinds::PersistentVolume& volume) {
  auto device = TRY(locate(volume));
  if (device.type != hypervisor::DiskSource::Type::Block)
    return fail(Code::Invalid,
                fmt::format("volume {} is of the block provisioner, and no device", volume.metadata.name));
  std::string backing = fs::path(device.path).parent_path() / kBackingFile;
  return LoopPlace{std::move(device), std::move(backing)};
}

// What the link said before may be another's device by now: the kernel numbers them anew when the machine starts.
Result<> pointTo(const std::string& device, const std::string& link) {
  const std::string draft = link + ".new";
  std::error_code error;
  fs::remove(draft, error);
  if (!error) fs::create_symlink(device, draft, error);
  if (!error) fs::rename(draft, link, error);
  if (error) return fail(Code::Unavailable, fmt::format("cannot make the link {}: {}", link, error.message()));
  return {};
}

}  // namespace

Result<> LoopImages::ensure(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  const LoopPlace place = TRY(placeOf(volume));
  TRY(ensureSparseFile(place.backing, wholeSectors(bytes)));
  TRY(pointTo(TRY(attachLoopDevice(place.backing)), place.device.path));
  return checkSize(volume.metadata.name, place.device, bytes);
}

Result<> LoopImages::grow(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  const LoopPlace place = TRY(placeOf(volume));
  TRY(growFile(place.backing, wholeSectors(bytes)));
  return measureLoopDevice(place.backing);
}

Result<> LoopImages::shrink(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  const LoopPlace place = TRY(placeOf(volume));
  TRY(shrinkFile(place.backing, wholeSectors(bytes)));
  return measureLoopDevice(place.backing);
}

Result<bool> LoopImages::isBlank(const kinds::PersistentVolume& volume, const hypervisor::DiskSource&,
                                 const std::string&) {
  return storage::isBlank(TRY(placeOf(volume)).backing);
}

Result<> LoopImages::remove(const kinds::PersistentVolume& volume) {
  const LoopPlace place = TRY(placeOf(volume));
  TRY(detachLoopDevice(place.backing));
  TRY(removeFile(place.device.path));
  return removeFile(place.backing);
}

Result<> detachAllBelow(const std::string& directory) {
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(directory, error))
    if (entry.path().filename() == kBackingFile) TRY(detachLoopDevice(entry.path()));
  return {};
}

}  // namespace godwit::storage
