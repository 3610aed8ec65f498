#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "kinds/virtual_machine_instance.hpp"
#include "kinds/volume.hpp"

// PersistentVolumes to disks.
namespace godwit::storage {

// What the image in a directory is called.
inline constexpr std::string_view kImageName = "disk.img";

// The path as it is written in a volume; Invalid when it leads elsewhere.
Result<std::filesystem::path> plainPath(const std::string& volume, const std::string& text);

// Where a volume's bytes are. Those that Godwit makes are what their class makes, in either mode. Invalid names the
// volume that no driver knows, or whose place cannot be one.
Result<hypervisor::DiskSource> locate(const kinds::PersistentVolume& volume);

// Whether it is an image, which is as large as QEMU is told to make it; a device or a LUN has the size it has.
bool isImage(const hypervisor::DiskSource& source);

// A disk of an instance before its bytes are looked for.
struct WantedDisk {
  std::string target;  // "vda"; as asked, or the first that is free
  std::string bus;
  std::string serial;
  std::string volume;  // name within the instance
  std::string claim;
  bool hotpluggable = false;
  std::optional<kinds::ContainerDisk> container = {};  // instead of a claim
};

// The instance's disks in boot order, whether they name a volume or a claim. One whose target is on record keeps
// it, so that no other disk's coming or going renames it. Invalid names the disk that has no volume or no claim, or
// is of a type that no driver knows.
Result<std::vector<WantedDisk>> wantedDisks(const kinds::VirtualMachineInstanceSpec& spec,
                                            const std::vector<kinds::VolumeStatus>& recorded = {});

}  // namespace godwit::storage
