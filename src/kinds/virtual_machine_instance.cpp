#include "kinds/virtual_machine_instance.hpp"

#include "base/quantity.hpp"

namespace godwit::kinds {

std::string VolumeSpec::claim() const {
  if (persistentVolumeClaim) return persistentVolumeClaim->claimName;
  return dataVolume ? dataVolume->name : "";
}

bool VolumeSpec::hotpluggable() const {
  return (persistentVolumeClaim && persistentVolumeClaim->hotpluggable) || (dataVolume && dataVolume->hotpluggable);
}

std::int64_t VirtualMachineInstanceSpec::memoryBytes() const {
  if (domain.memory && !domain.memory->guest.empty()) return parseQuantity(domain.memory->guest).value_or(0);
  const auto asked = domain.resources.requests.find("memory");
  return asked == domain.resources.requests.end() ? 0 : parseQuantity(asked->second).value_or(0);
}

std::vector<VolumeSpec> VirtualMachineInstanceSpec::allVolumes() const {
  std::vector<VolumeSpec> all = volumes;
  for (const DiskSpec& disk : domain.devices.disks)
    if (!disk.claim().empty()) all.push_back({disk.volumeName(), ClaimReference{disk.claim()}, std::nullopt});
  return all;
}

std::string domainName(const object::Key& vmi) { return vmi.nameSpace + "_" + vmi.name; }

}  // namespace godwit::kinds
