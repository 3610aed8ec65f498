#include "mover/disk_place.hpp"

#include <algorithm>

namespace godwit::mover {

DiskPlace placeOf(const hypervisor::DomainState& guest, const MovedDisk& moved) {
  const auto disk = std::find_if(guest.disks.begin(), guest.disks.end(), [&](const hypervisor::DiskState& candidate) {
    return candidate.target == moved.target;
  });
  if (disk == guest.disks.end()) return DiskPlace::AtSource;
  if (disk->mirror) return disk->mirror->ready ? DiskPlace::Ready : DiskPlace::Mirroring;
  return disk->source.sameBytes(moved.destination()) ? DiskPlace::AtDestination : DiskPlace::AtSource;
}

}  // namespace godwit::mover
