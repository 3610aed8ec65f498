#include "storage/file_images.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "kinds/image_format.hpp"
#include "storage/blank.hpp"
#include "storage/disks.hpp"
#include "storage/qcow2.hpp"
#include "storage/remote_disk.hpp"
#include "storage/size.hpp"
#include "storage/sparse_file.hpp"

namespace godwit::storage {
namespace {

using hypervisor::DiskSource;

Result<> checkDevice(const std::string& volume, const std::string& path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0)
    return fail(Code::Invalid, fmt::format("volume {} has mode Block, but {}: {}", volume, path, std::strerror(errno)));
  if (!S_ISBLK(found.st_mode))
    return fail(Code::Invalid, fmt::format("volume {} has mode Block, but {} is no block device", volume, path));
  return {};
}

// Of a file here; what is on the network is left to QEMU, whatever it is.
bool isQcow2(const DiskSource& image) { return image.type == DiskSource::Type::File && image.format == kinds::kQcow2; }

}  // namespace

Result<> FileImages::ensure(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  const auto image = TRY(locate(volume));
  switch (image.type) {
    case DiskSource::Type::File:
      TRY(isQcow2(image) ? ensureFile(image.path, [&](const auto& draft) { return makeQcow2(draft, bytes); })
                         : ensureSparseFile(image.path, bytes));
      break;
    case DiskSource::Type::Block:
      TRY(checkDevice(volume.metadata.name, image.path));
      break;
    case DiskSource::Type::Network:
      if (image.format != kinds::kQcow2) return {};
      TRY(measureRemote(image, "").map_error(
          [&](Error error) { return within("volume " + volume.metadata.name, std::move(error)); }));
      return {};
  }
  return checkSize(volume.metadata.name, image, bytes);
}

Result<> FileImages::grow(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  const auto image = TRY(locate(volume));
  if (isQcow2(image)) return growQcow2(image.path, bytes);
  if (image.type == DiskSource::Type::File) return growFile(image.path, bytes);
  if (isImage(image)) return TRY(measureRemote(image, "")) < bytes ? resizeRemote(image, bytes) : Result<>();
  return fail(Code::Invalid,
              fmt::format("volume {} was not made here, and cannot be made larger", volume.metadata.name));
}

Result<> FileImages::shrink(const kinds::PersistentVolume& volume, std::int64_t bytes) {
  const auto image = TRY(locate(volume));
  if (isQcow2(image)) return shrinkQcow2(image.path, bytes);
  if (image.type == DiskSource::Type::File) return shrinkFile(image.path, bytes);
  if (!isImage(image)) return {};
  return TRY(measureRemote(image, "")) > bytes ? resizeRemote(image, bytes) : Result<>();
}

Result<bool> FileImages::isBlank(const kinds::PersistentVolume& volume, const DiskSource& source,
                                 const std::string& password) {
  if (isQcow2(source)) return isQcow2Blank(source.path);
  if (source.type != DiskSource::Type::Network) return storage::isBlank(source.path);
  return isRemoteBlank(source, password).map_error([&](Error error) {
    return within("volume " + volume.metadata.name, std::move(error));
  });
}

Result<> FileImages::remove(const kinds::PersistentVolume& volume) {
  const auto image = TRY(locate(volume));
  return image.type == DiskSource::Type::File ? removeFile(image.path) : Result<>();
}

}  // namespace godwit::storage
