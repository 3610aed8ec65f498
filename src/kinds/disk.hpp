#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/schema.hpp"

// What a guest has of volumes.
namespace godwit::kinds {

struct DiskDevice {
  std::string bus;

  bool operator==(const DiskDevice&) const = default;
};

struct DiskClaim {
  std::string name;

  bool operator==(const DiskClaim&) const = default;
};

struct DiskTarget {
  std::string bus;
  std::string device;  // "sda"

  bool operator==(const DiskTarget&) const = default;
};

// A disk names a volume of the instance or, as in the first VMIs, a claim: then it has a type, a source and a target.
struct DiskSpec {
  std::string name;  // of the volume behind it
  std::optional<DiskDevice> disk;
  std::optional<DiskDevice> lun;
  std::string serial;
  std::int64_t bootOrder = 0;
  bool shareable = false;
  std::string type = {};
  std::string device = {};
  std::optional<DiskClaim> source = {};
  std::optional<DiskTarget> target = {};

  bool operator==(const DiskSpec&) const = default;

  // The claim that it names itself, or nothing.
  std::string claim() const;
  // Of the volume behind it. One with a claim of its own goes by its place in the guest, which
  // stays the same when the claim becomes another.
  std::string volumeName() const;
};

struct FilesystemSpec {
  std::string name;

  bool operator==(const FilesystemSpec&) const = default;
};

struct Devices {
  std::vector<DiskSpec> disks;
  std::vector<FilesystemSpec> filesystems;

  bool operator==(const Devices&) const = default;
};

}  // namespace godwit::kinds

namespace godwit::schema {

inline constexpr std::string_view kBuses[] = {"virtio", "scsi", "sata"};

template <>
inline constexpr auto schema<kinds::DiskDevice> =
    object(field<&kinds::DiskDevice::bus>("bus", "What it is attached to.", oneOf(kBuses)),
           kept("readonly", "pciAddress", "reservation"));

template <>
inline constexpr auto schema<kinds::DiskClaim> = object(field<&kinds::DiskClaim::name>("name", "Claim."));

template <>
inline constexpr auto schema<kinds::DiskTarget> =
    object(field<&kinds::DiskTarget::bus>("bus", "What it is attached to.", oneOf(kBuses)),
           field<&kinds::DiskTarget::device>("device", "What the guest calls it, like sda."));

template <>
inline constexpr auto schema<kinds::DiskSpec> = object(
    field<&kinds::DiskSpec::name>("name", "Volume behind it; not needed with a claim of its own."),
    field<&kinds::DiskSpec::disk>("disk", "An ordinary disk."), field<&kinds::DiskSpec::lun>("lun", "A LUN."),
    field<&kinds::DiskSpec::serial>("serial", "Serial number that the guest sees."),
    field<&kinds::DiskSpec::bootOrder>("bootOrder", "1 boots first.", atLeast(0)),
    field<&kinds::DiskSpec::shareable>("shareable", "Whether several VMs write to it."),
    field<&kinds::DiskSpec::type>("type", "PersistentVolumeClaim if the disk names a claim itself."),
    field<&kinds::DiskSpec::device>("device", "disk, if the disk names a claim itself."),
    field<&kinds::DiskSpec::source>("source", "The claim, if the disk names one itself."),
    field<&kinds::DiskSpec::target>("target", "Where the guest sees it, if the disk names a claim itself."),
    kept("cdrom", "dedicatedIOThread", "cache", "io", "tag", "blockSize", "errorPolicy", "changedBlockTracking"));

template <>
inline constexpr auto schema<kinds::FilesystemSpec> =
    object(field<&kinds::FilesystemSpec::name>("name", "Volume behind it.", required), kept("virtiofs"));

template <>
inline constexpr auto schema<kinds::Devices> = object(
    field<&kinds::Devices::disks>("disks", "Disks."),
    field<&kinds::Devices::filesystems>("filesystems", "Filesystems shared with the guest."),
    kept("useVirtioTransitional", "disableHotplug", "watchdog", "interfaces", "inputs", "autoattachPodInterface",
         "autoattachGraphicsDevice", "autoattachSerialConsole", "logSerialConsole", "autoattachMemBalloon",
         "autoattachInputDevice", "autoattachVSOCK", "rng", "blockMultiQueue", "networkInterfaceMultiqueue", "gpus",
         "downwardMetrics", "panicDevices", "hostDevices", "clientPassthrough", "sound", "tpm", "video"));

}  // namespace godwit::schema
