#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "kinds/virtual_machine_instance.hpp"
#include "kinds/volume.hpp"

// PersistentVolumes to disks.
namespace godwit::storage {

// Where a volume's image is. Invalid when no driver knows the volume, or its path is not a plain absolute one.
Result<hypervisor::DiskSource> locate(const kinds::PersistentVolume& volume);

// A disk of an instance before its bytes are looked for.
struct WantedDisk {
  std::string target;  // "vda"
  std::string bus;
  std::string serial;
  std::string volume;  // name within the instance
  std::string claim;
};

// The instance's disks in boot order. Invalid names the disk that has no volume or no claim.
Result<std::vector<WantedDisk>> wantedDisks(const kinds::VirtualMachineInstanceSpec& spec);

}  // namespace godwit::storage
