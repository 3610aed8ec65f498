#include "subresources/volumes.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "schema/read.hpp"

namespace godwit::subresources {
namespace {

using kinds::VolumeSpec;

// KubeVirt's clients say which bus; the one that needs no help from the guest is meant when they do not.
constexpr std::string_view kUsualBus = "scsi";

std::string claimOf(const AddVolumeOptions& options) {
  return VolumeSpec{options.name, options.volumeSource->persistentVolumeClaim, options.volumeSource->dataVolume}
      .claim();
}

bool goesBy(const VolumeSpec& volume, const std::string& name) { return volume.name == name || volume.claim() == name; }

json::array& arrayIn(json::object& parent, std::string_view name) {
  json::value& member = parent[name];
  return member.is_array() ? member.get_array() : member.emplace_array();
}

json::object& objectIn(json::object& parent, std::string_view name) {
  json::value& member = parent[name];
  return member.is_object() ? member.get_object() : member.emplace_object();
}

json::array& disksIn(json::object& spec) { return arrayIn(objectIn(objectIn(spec, "domain"), "devices"), "disks"); }

void eraseNamed(json::array& entries, const std::string& name) {
  for (auto entry = entries.begin(); entry != entries.end();)
    entry =
        entry->is_object() && object::textAt(entry->get_object(), {"name"}) == name ? entries.erase(entry) : entry + 1;
}

Result<> checkBus(const AddVolumeOptions& options) {
  const auto& disk = *options.disk;
  const auto refused = [&](std::string_view what, std::string_view buses, const std::string& bus) {
    return fail(Code::Invalid, fmt::format("disk.{}.bus: Hotplug configuration for {} [{}] requires bus to be {}. [{}] "
                                           "is not permitted.",
                                           what == "LUN" ? "lun" : "disk", what, options.name, buses, bus));
  };
  if (disk.lun && !disk.lun->bus.empty() && disk.lun->bus != "scsi") return refused("LUN", "'scsi'", disk.lun->bus);
  if (disk.disk && !disk.disk->bus.empty() && disk.disk->bus != "scsi" && disk.disk->bus != "virtio")
    return refused("disk", "'scsi' or 'virtio'", disk.disk->bus);
  if (disk.disk || disk.lun) return {};
  return fail(Code::Invalid, fmt::format("disk: Hotplug configuration for [{}] requires diskDevice of type 'disk' or "
                                         "'lun' to be used.",
                                         options.name));
}

}  // namespace

Result<> checkRequest(const AddVolumeOptions& options) {
  if (options.name.empty()) return fail(Code::Invalid, "name: AddVolumeOptions requires name to be set");
  if (!options.disk) return fail(Code::Invalid, "disk: AddVolumeOptions requires disk to not be nil");
  if (!options.volumeSource || claimOf(options).empty())
    return fail(Code::Invalid, "volumeSource: AddVolumeOptions requires VolumeSource to not be nil");
  if (options.disk->source || options.disk->target)
    return fail(Code::Invalid, "disk: a disk that comes to a running guest names no claim or target itself");
  return checkBus(options);
}

Result<> checkRequest(const RemoveVolumeOptions& options) {
  if (options.name.empty()) return fail(Code::Invalid, "name: RemoveVolumeOptions requires name to be set");
  return {};
}

std::string obstacle(const std::vector<VolumeSpec>& volumes, const AddVolumeOptions& options) {
  const std::string claim = claimOf(options);
  for (const VolumeSpec& volume : volumes) {
    if (volume.name == options.name)
      return fmt::format("Unable to add volume [{}] because volume with that name already exists", options.name);
    if (volume.claim() == claim)
      return fmt::format("Unable to add volume source [{}] because it already exists", claim);
  }
  return "";
}

std::string obstacle(const std::vector<VolumeSpec>& volumes, const RemoveVolumeOptions& options) {
  for (const VolumeSpec& volume : volumes)
    if (goesBy(volume, options.name))
      return volume.hotpluggable()
                 ? ""
                 : fmt::format("Unable to remove volume [{}] because it is not hotpluggable", volume.name);
  return fmt::format("Unable to remove volume [{}] because it does not exist", options.name);
}

void addVolume(const object::Document& body, json::object& spec) {
  const std::string name = object::textAt(body, {"name"});
  json::object volume = body.at("volumeSource").as_object();
  for (auto& source : volume)
    if (auto* described = source.value().if_object()) (*described)["hotpluggable"] = true;
  volume["name"] = name;
  arrayIn(spec, "volumes").emplace_back(std::move(volume));
  json::object disk = body.at("disk").as_object();
  disk["name"] = name;
  json::object& device = objectIn(disk, disk.contains("lun") ? "lun" : "disk");
  if (object::textAt(device, {"bus"}).empty()) device["bus"] = kUsualBus;
  disksIn(spec).emplace_back(std::move(disk));
}

void removeVolume(const RemoveVolumeOptions& options, json::object& spec) {
  json::array& volumes = arrayIn(spec, "volumes");
  const auto found = std::find_if(volumes.begin(), volumes.end(), [&](const json::value& volume) {
    return goesBy(schema::view<VolumeSpec>(volume), options.name);
  });
  if (found == volumes.end()) return;
  const std::string name = object::textAt(found->as_object(), {"name"});
  volumes.erase(found);
  eraseNamed(disksIn(spec), name);
}

bool hasVolume(const std::vector<VolumeSpec>& volumes, const AddVolumeOptions& options) {
  return std::any_of(volumes.begin(), volumes.end(), [&](const VolumeSpec& volume) {
    return volume.name == options.name && volume.claim() == claimOf(options) && volume.hotpluggable();
  });
}

}  // namespace godwit::subresources
