#include "storage/disks.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>

namespace godwit::storage {
namespace {

constexpr std::string_view kImageName = "disk.img";

std::string_view targetPrefix(const std::string& bus) {
  if (bus == "virtio") return "vd";
  return "sd";
}

const kinds::VolumeSpec* volumeNamed(const kinds::VirtualMachineInstanceSpec& spec, const std::string& name) {
  for (const kinds::VolumeSpec& volume : spec.volumes)
    if (volume.name == name) return &volume;
  return nullptr;
}

std::string busOf(const kinds::DiskSpec& disk) {
  const auto& device = disk.disk ? disk.disk : disk.lun;
  return device && !device->bus.empty() ? device->bus : "virtio";
}

// Those with a boot order first; the rest as they are listed.
std::vector<kinds::DiskSpec> inBootOrder(std::vector<kinds::DiskSpec> disks) {
  std::stable_sort(disks.begin(), disks.end(), [](const auto& a, const auto& b) {
    const auto rank = [](std::int64_t order) { return order > 0 ? order : INT64_MAX; };
    return rank(a.bootOrder) < rank(b.bootOrder);
  });
  return disks;
}

}  // namespace

Result<hypervisor::DiskSource> locate(const kinds::PersistentVolume& volume) {
  const auto& place = volume.spec.local ? volume.spec.local : volume.spec.hostPath;
  const std::string& name = volume.metadata.name;
  if (!place) return fail(Code::Invalid, fmt::format("volume {} is of a type that no driver knows", name));
  if (volume.spec.volumeMode != kinds::kVolumeModeFilesystem)
    return fail(Code::Invalid,
                fmt::format("volume {} has mode {}, which no driver knows", name, volume.spec.volumeMode));
  const std::filesystem::path path(place->path);
  if (!path.is_absolute() || path != path.lexically_normal())
    return fail(Code::Invalid,
                fmt::format("volume {} has the path {}, which is not a plain absolute one", name, place->path));
  return hypervisor::DiskSource{hypervisor::DiskSource::Type::File, path / kImageName, "raw"};
}

Result<std::vector<WantedDisk>> wantedDisks(const kinds::VirtualMachineInstanceSpec& spec) {
  std::vector<WantedDisk> wanted;
  std::map<std::string_view, int> used;
  for (const kinds::DiskSpec& disk : inBootOrder(spec.domain.devices.disks)) {
    const kinds::VolumeSpec* volume = volumeNamed(spec, disk.name);
    if (!volume) return fail(Code::Invalid, fmt::format("disk {} has no volume of that name", disk.name));
    if (volume->claim().empty())
      return fail(Code::Invalid, fmt::format("volume {} is of a type that no driver knows", volume->name));
    const std::string bus = busOf(disk);
    const std::string_view prefix = targetPrefix(bus);
    const int index = used[prefix]++;
    if (index >= 26) return fail(Code::Invalid, "more than 26 disks on one bus");
    wanted.push_back(
        {fmt::format("{}{}", prefix, static_cast<char>('a' + index)), bus, disk.serial, volume->name, volume->claim()});
  }
  return wanted;
}

}  // namespace godwit::storage
