#include "kinds/claim_use.hpp"

#include <algorithm>

namespace godwit::kinds {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<std::string> claimNamesOf(const Pod& pod) {
  std::vector<std::string> names;
  for (const PodVolume& volume : pod.spec.volumes)
    if (volume.persistentVolumeClaim) names.push_back(volume.persistentVolumeClaim->claimName);
  return names;
}

std::vector<std::string> claimNamesOf(const VirtualMachineInstance& instance) {
  std::vector<std::string> names;
  for (const VolumeSpec& volume : instance.spec.allVolumes())
    if (!volume.claim().empty()) names.push_back(volume.claim());
  if (instance.moving())
    for (const MigratedVolumeStatus& volume : instance.status.migratedVolumes)
      names.push_back(volume.destinationPVCInfo.claimName);
  // A disk that came to the guest while it ran is on record until it is gone, whatever the spec says by then.
  for (const VolumeStatus& volume : instance.status.volumeStatus)
    if (volume.hotplugVolume && volume.persistentVolumeClaimInfo)
      names.push_back(volume.persistentVolumeClaimInfo->claimName);
  return names;
}

bool mounts(const Pod& pod, const std::string& claim) { return contains(claimNamesOf(pod), claim); }

bool usesClaim(const Pod& pod, const std::string& claim) {
  return !pod.spec.nodeName.empty() && !pod.ended() && mounts(pod, claim);
}

bool usesClaim(const VirtualMachineInstance& instance, const std::string& claim) {
  const InstancePhase phase = instance.status.phase;
  return (phase == InstancePhase::Scheduled || phase == InstancePhase::Running) &&
         contains(claimNamesOf(instance), claim);
}

}  // namespace godwit::kinds
