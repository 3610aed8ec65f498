#include "hypervisor/simulated/client.hpp"

#include <fmt/format.h>

namespace godwit::hypervisor::simulated {

Result<DiskState*> SimulatedClient::findDisk(const std::string& domain, const std::string& disk) {
  SimulatedGuest* const guest = TRY(find(domain));
  for (DiskState& candidate : guest->disks)
    if (candidate.target == disk) return &candidate;
  return fail(Code::NotFound, fmt::format("{} has no disk {}", domain, disk));
}

Result<DiskState*> SimulatedClient::findIdleDisk(const std::string& domain, const std::string& disk) {
  DiskState* const found = TRY(findDisk(domain, disk));
  if (found->mirror) return fail(Code::Conflict, fmt::format("{} is already being copied", disk));
  if (departure(domain)) return fail(Code::Conflict, fmt::format("{} is on its way", domain));
  return found;
}

Result<SimulatedImage*> SimulatedClient::imageOf(const DiskState& disk) {
  if (SimulatedImage* const image = fabric_.images.find(host_.name, disk.source.path)) return image;
  return fail(Code::Internal, fmt::format("{} is gone", disk.source.path));
}

Result<> SimulatedClient::attachDisk(const std::string& domain, const Disk& disk) {
  SimulatedGuest* const guest = TRY(find(domain));
  if (fabric_.findJourney(host_, domain)) return fail(Code::Conflict, fmt::format("{} is on its way", domain));
  for (const DiskState& attached : guest->disks)
    if (attached.target == disk.target)
      return attached.source.sameBytes(disk.source)
                 ? Result<>{}
                 : fail(Code::Conflict, fmt::format("{} has another disk {}", domain, disk.target));
  if (!fabric_.images.find(host_.name, disk.source.path))
    return fail(Code::Internal, fmt::format("cannot access storage file {}", disk.source.path));
  guest->disks.push_back({.target = disk.target, .source = disk.source, .mirror = {}});
  tell(host_, domain);
  return {};
}

Result<> SimulatedClient::detachDisk(const std::string& domain, const std::string& disk) {
  SimulatedGuest* const guest = TRY(find(domain));
  if (fabric_.findJourney(host_, domain)) return fail(Code::Conflict, fmt::format("{} is on its way", domain));
  for (const DiskState& attached : guest->disks)
    if (attached.target == disk && attached.mirror)
      return fail(Code::Conflict, fmt::format("{} is being copied", disk));
  std::erase_if(guest->disks, [&](const DiskState& attached) { return attached.target == disk; });
  tell(host_, domain);
  return {};
}

Result<> SimulatedClient::beginCopy(const std::string& domain, const std::string& disk, const DiskSource& destination,
                                    std::int64_t bytesPerSecond, const std::string& /*through*/) {
  DiskState* const found = TRY(findIdleDisk(domain, disk));
  const SimulatedImage* const to = fabric_.images.find(host_.name, destination.path);
  const SimulatedImage* const from = fabric_.images.find(host_.name, found->source.path);
  if (!to || !from || to->size() != from->size())
    return fail(Code::Invalid, fmt::format("{} is not there at the size of {}", destination.path, disk));
  TRY(find(domain))->mirrorBandwidth = bytesPerSecond;
  found->mirror = Mirror{.destination = destination, .bytesTotal = to->size()};
  return {};
}

Result<> SimulatedClient::pivot(const std::string& domain, const std::string& disk) {
  DiskState* const found = TRY(findDisk(domain, disk));
  if (!found->mirror) return fail(Code::NotFound, fmt::format("{} is not being copied", disk));
  if (!found->mirror->ready) return fail(Code::Conflict, fmt::format("the copy of {} is not ready", disk));
  SimulatedImage* const to = fabric_.images.find(host_.name, found->mirror->destination.path);
  if (!to) return fail(Code::Internal, fmt::format("{} is gone", found->mirror->destination.path));
  to->copyFrom(*TRY(imageOf(*found)), 0, to->size());
  found->source = found->mirror->destination;
  found->mirror.reset();
  tell(host_, domain);
  return {};
}

Result<> SimulatedClient::cancelCopy(const std::string& domain, const std::string& disk) {
  TRY(reach());
  if (!host_.find(domain)) return {};
  TRY(findDisk(domain, disk))->mirror.reset();
  tell(host_, domain);
  return {};
}

Result<std::int64_t> SimulatedClient::diskSize(const std::string& domain, const std::string& disk) {
  const DiskState* const found = TRY(findDisk(domain, disk));
  return TRY(imageOf(*found))->size();
}

Result<> SimulatedClient::resize(const std::string& domain, const std::string& disk, std::int64_t bytes) {
  const DiskState* const found = TRY(findIdleDisk(domain, disk));
  SimulatedImage* const image = TRY(imageOf(*found));
  if (bytes < image->size())
    return fail(Code::Invalid, fmt::format("{} has {} bytes, which is more than {}", disk, image->size(), bytes));
  image->grow(bytes);
  return {};
}

}  // namespace godwit::hypervisor::simulated
