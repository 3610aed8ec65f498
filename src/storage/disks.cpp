#include "storage/disks.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/image_reference.hpp"
#include "kinds/image_format.hpp"
#include "kinds/words.hpp"
#include "storage/iscsi.hpp"
#include "storage/names.hpp"
#include "storage/remote_images.hpp"

namespace godwit::storage {
namespace {

constexpr std::string_view kTypeOfClaim = "PersistentVolumeClaim";

std::string_view targetPrefix(const std::string& bus) {
  if (bus == "virtio") return "vd";
  return "sd";
}

std::string busOf(const kinds::DiskSpec& disk) {
  if (disk.target && !disk.target->bus.empty()) return disk.target->bus;
  if (disk.target && disk.target->device.starts_with("sd")) return "scsi";
  const auto& device = disk.disk ? disk.disk : disk.lun;
  return device && !device->bus.empty() ? device->bus : "virtio";
}

// What the guest calls its disks: some have a name asked for, the others get the first that is left.
class TargetNames {
 public:
  Result<> keep(const std::string& name) {
    if (taken_.insert(name).second) return {};
    return fail(Code::Invalid, fmt::format("two disks are to be {}", name));
  }

  void avoid(const std::string& name) { taken_.insert(name); }

  Result<std::string> next(std::string_view prefix) {
    for (char letter = 'a'; letter <= 'z'; ++letter)
      if (std::string name = fmt::format("{}{}", prefix, letter); taken_.insert(name).second) return name;
    return fail(Code::Invalid, "more than 26 disks on one bus");
  }

 private:
  std::set<std::string> taken_;
};

std::string askedTarget(const kinds::DiskSpec& disk) { return disk.target ? disk.target->device : ""; }

std::string recordedTarget(const std::vector<kinds::VolumeStatus>& recorded, const std::string& volume) {
  for (const kinds::VolumeStatus& status : recorded)
    if (status.name == volume) return status.target;
  return "";
}

Result<> checkForm(const kinds::DiskSpec& disk) {
  const std::string name = disk.volumeName();
  const std::string target = askedTarget(disk);
  if (!isMadeOf(name, "-.") || !(target.empty() || isMadeOf(target, "")))
    return fail(Code::Invalid,
                fmt::format("disk '{}' has a name that is not made of letters, digits and dashes", name));
  if (!disk.type.empty() && disk.type != kTypeOfClaim)
    return fail(Code::Invalid, fmt::format("disk {} has the type {}, which no driver knows", name, disk.type));
  if (!disk.device.empty() && disk.device != "disk")
    return fail(Code::Invalid, fmt::format("disk {} is to be a {}, which no driver knows", name, disk.device));
  if (!disk.type.empty() && disk.claim().empty())
    return fail(Code::Invalid, fmt::format("disk {} names no claim", name));
  return {};
}

Result<kinds::VolumeSpec> volumeFor(const kinds::DiskSpec& disk, const std::vector<kinds::VolumeSpec>& volumes) {
  const std::string name = disk.volumeName();
  const auto called = [&](const kinds::VolumeSpec& volume) { return volume.name == name; };
  const auto found = std::find_if(volumes.begin(), volumes.end(), called);
  if (found == volumes.end()) return fail(Code::Invalid, fmt::format("disk {} has no volume of that name", name));
  if (std::any_of(found + 1, volumes.end(), called))
    return fail(Code::Invalid, fmt::format("disk {} has two volumes of that name", name));
  if (found->claim().empty() && !found->containerDisk)
    return fail(Code::Invalid, fmt::format("volume {} is of a type that no driver knows", name));
  if (found->containerDisk)
    if (const auto image = ImageReference::parse(found->containerDisk->image); !image)
      return fail(Code::Invalid, fmt::format("volume {}: {}", name, image.error().message));
  return *found;
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

Result<std::filesystem::path> plainPath(const std::string& volume, const std::string& text) {
  std::filesystem::path path(text);
  if (path.is_absolute() && path == path.lexically_normal()) return path;
  return fail(Code::Invalid, fmt::format("volume {} has the path {}, which is not a plain absolute one", volume, text));
}

Result<hypervisor::DiskSource> locate(const kinds::PersistentVolume& volume) {
  using hypervisor::DiskSource;
  const std::string& name = volume.metadata.name;
  const kinds::PersistentVolumeSpec& spec = volume.spec;
  const std::string format = TRY(kinds::formatOf(volume));
  if (spec.iscsi) return locateLun(name, *spec.iscsi);
  if (spec.nfs) return locateOnNfs(name, *spec.nfs, format);
  if (spec.rbd) return locateInCeph(name, *spec.rbd);
  const auto& place = spec.local ? spec.local : spec.hostPath;
  if (!place) return fail(Code::Invalid, fmt::format("volume {} is of a type that no driver knows", name));
  const std::filesystem::path path = TRY(plainPath(name, place->path));
  const std::string maker = object::valueOf(volume.metadata.annotations, kinds::words::kProvisionedBy);
  if (maker == kinds::words::kBlockProvisioner) return DiskSource{DiskSource::Type::Block, path, "raw"};
  if (spec.volumeMode != kinds::kVolumeModeBlock) return DiskSource{DiskSource::Type::File, path / kImageName, format};
  const bool isFile = maker == kinds::words::kDirectoryProvisioner;
  return DiskSource{isFile ? DiskSource::Type::File : DiskSource::Type::Block, path, "raw"};
}

bool isImage(const hypervisor::DiskSource& source) {
  using hypervisor::DiskSource;
  return source.type == DiskSource::Type::File ||
         (source.type == DiskSource::Type::Network && source.remote.protocol == hypervisor::Protocol::Nfs);
}

Result<std::vector<WantedDisk>> wantedDisks(const kinds::VirtualMachineInstanceSpec& spec,
                                            const std::vector<kinds::VolumeStatus>& recorded) {
  const std::vector<kinds::VolumeSpec> volumes = spec.allVolumes();
  TargetNames names;
  for (const kinds::DiskSpec& disk : spec.domain.devices.disks)
    if (const std::string asked = askedTarget(disk); !asked.empty()) TRY(names.keep(asked));
  for (const kinds::VolumeStatus& status : recorded) names.avoid(status.target);
  std::vector<WantedDisk> wanted;
  for (const kinds::DiskSpec& disk : inBootOrder(spec.domain.devices.disks)) {
    TRY(checkForm(disk));
    const kinds::VolumeSpec volume = TRY(volumeFor(disk, volumes));
    const std::string bus = busOf(disk);
    std::string target = askedTarget(disk);
    if (target.empty()) target = recordedTarget(recorded, volume.name);
    if (target.empty()) target = TRY(names.next(targetPrefix(bus)));
    wanted.push_back(
        {target, bus, disk.serial, volume.name, volume.claim(), volume.hotpluggable(), volume.containerDisk});
  }
  return wanted;
}

}  // namespace godwit::storage
