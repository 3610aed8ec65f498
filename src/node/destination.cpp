#include "node/destination.hpp"

#include <fmt/format.h>

#include "hypervisor/image_size.hpp"
#include "kinds/expansion.hpp"
#include "kinds/overhead.hpp"
#include "kinds/words.hpp"
#include "node/disk_of_volume.hpp"
#include "storage/blank.hpp"
#include "storage/disks.hpp"
#include "storage/size.hpp"
#include "storage/sparse_file.hpp"

namespace godwit::node {
namespace {

using hypervisor::DiskSource;
using kinds::PersistentVolume;

namespace words = kinds::words;

std::string copyOn(const PersistentVolume& volume) {
  return object::valueOf(volume.metadata.annotations, words::kCopyOf);
}

Result<PersistentVolume> noteCopy(const Site& site, const PersistentVolume& volume, const std::string& disk) {
  auto after = volume;
  after.metadata.annotations[std::string(words::kCopyOf)] = disk;
  return site.client.change(volume, after);
}

bool isForeignDevice(const PersistentVolume& volume, const DiskSource& source) {
  return source.type == DiskSource::Type::Block && !kinds::isOurs(volume);
}

// Bytes of the disk that a guest has on the volume. Of a device that nobody can measure from here its guest knows.
Result<std::int64_t> bytesOn(const Site& site, const PersistentVolume& volume, std::int64_t seen) {
  const auto [source, password] = TRY(diskOf(site.client, volume));
  if (seen > 0 && isForeignDevice(volume, source)) return seen;
  return TRY(site.images.measure(volume, source, password)).value_or(kinds::sizeOf(volume));
}

// Somebody else's disk is as large as it is: one that is too small for the source is refused before anything is
// copied, and one that is too large as well if it cannot be cut to size, as QEMU copies between equals alone.
Result<> checkRoomOn(const Site& site, const PersistentVolume& volume, std::int64_t bytes, const std::string& claim) {
  const auto [destination, password] = TRY(diskOf(site.client, volume));
  const std::string& name = volume.metadata.name;
  const auto there = isForeignDevice(volume, destination)
                         ? hypervisor::imageSize(destination).value_or(std::nullopt)  // ensure() says what is wrong
                         : TRY(site.images.measure(volume, destination, password));
  if (!there) return {};
  TRY(storage::checkRoom(name, destination.path, *there, bytes));
  if (storage::isImage(destination) || *there <= storage::wholeSectors(bytes)) return {};
  return fail(Code::Invalid,
              fmt::format("volume {} has {} bytes, and the guest's disk {}; what Godwit has not made, and cannot cut, "
                          "must have the disk's size: ask for {} bytes in claim {} first, or name another one",
                          name, *there, bytes, *there, claim));
}

// What is on it must be nothing, an earlier copy of the same disk, or nothing that its owner would miss.
Result<> checkContent(const Site& site, const PersistentVolume& volume, const object::Key& key,
                      const std::string& disk) {
  if (copyOn(volume) == disk) return {};
  const auto claim = TRY(site.client.get<kinds::PersistentVolumeClaim>(key));
  if (object::valueOf(claim.metadata.annotations, words::kOverwrite) == "true") return {};
  const auto [source, password] = TRY(diskOf(site.client, volume));
  if (TRY(site.images.isBlank(volume, source, password))) return {};
  return fail(Code::Invalid, fmt::format("claim {} has data on it, which would be lost; name another one, or let it be "
                                         "lost with `kubectl annotate pvc {} {}=true`",
                                         key.name, key.name, words::kOverwrite));
}

// A guest cannot be told of other sectors while it runs. Where its disk is not seen from here it has the usual ones.
Result<> checkSectors(const PersistentVolume& destination, const PersistentVolume& source) {
  const DiskSource to = TRY(storage::locate(destination));
  const DiskSource from = TRY(storage::locate(source));
  if (to.type != DiskSource::Type::Block) return {};
  const std::int64_t there = TRY(storage::sectorBytes(to.path));
  const std::int64_t here = from.type == DiskSource::Type::Block ? TRY(storage::sectorBytes(from.path)) : 512;
  if (there == here) return {};
  return fail(Code::Invalid,
              fmt::format("volume {} has sectors of {} bytes, and the guest's disk, on volume {}, of {}; name a claim "
                          "whose volume has the same",
                          destination.metadata.name, there, source.metadata.name, here));
}

}  // namespace

std::string diskId(const kinds::VirtualMachineInstance& instance, const std::string& volume) {
  const auto& owners = instance.metadata.ownerReferences;
  return fmt::format("{}/{}", owners.empty() ? instance.metadata.uid : owners.front().uid, volume);
}

Result<Ground> claimGround(const Site& site, const Claims& claims, const std::string& disk) {
  const object::Key key = {claims.nameSpace, claims.to};
  const PersistentVolume volume = TRY(volumeOf(site.client, key));
  const PersistentVolume source = TRY(volumeOf(site.client, {claims.nameSpace, claims.from}));
  const std::int64_t bytes = TRY(bytesOn(site, source, claims.bytes));
  TRY(checkRoomOn(site, volume, bytes, claims.from));
  TRY(checkSectors(volume, source));
  TRY(checkContent(site, volume, key, disk));
  Ground ground;
  ground.volume = TRY(noteCopy(site, volume, disk));
  ground.bytes = bytes;
  TRY(noteCopy(site, source, disk));
  return ground;
}

Result<> prepareDestination(const Site& site, const Claims& claims, const std::string& disk) {
  const auto [volume, bytes] = TRY(claimGround(site, claims, disk));
  const bool isImage = storage::isImage(TRY(storage::locate(volume)));
  if ((isImage || kinds::isOurs(volume)) && bytes < kinds::roomOn(volume))
    TRY(site.client.change(volume, kinds::withSize(volume, bytes)));
  // One that was there before, from an attempt that failed perhaps, may have grown to all that there is room for.
  TRY(site.images.shrink(volume, bytes));
  return site.images.ensure(volume, bytes);
}

Result<> forgetOtherCopies(const Site& site, const PersistentVolume& volume, const std::string& disk) {
  if (copyOn(volume).empty() || copyOn(volume) == disk) return {};
  auto after = volume;
  after.metadata.annotations.erase(std::string(words::kCopyOf));
  TRY(site.client.change(volume, after));
  return {};
}

}  // namespace godwit::node
