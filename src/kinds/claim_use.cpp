#include "kinds/claim_use.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "kinds/words.hpp"

namespace godwit::kinds {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::int64_t numberIn(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
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

std::int64_t generationOf(const VirtualMachineInstance& instance) {
  return numberIn(object::valueOf(instance.metadata.annotations, words::kVmGeneration));
}

std::string leavingMark(const schema::Metadata& machine) {
  return fmt::format("{}/{}", machine.uid, machine.generation);
}

bool isLeftBehind(const VirtualMachineInstance& instance, const PersistentVolumeClaim& claim) {
  const std::string mark = object::valueOf(claim.metadata.annotations, words::kLeftBy);
  const auto& owners = instance.metadata.ownerReferences;
  const std::size_t slash = mark.find('/');
  return slash != std::string::npos && !owners.empty() && owners.front().uid == mark.substr(0, slash) &&
         generationOf(instance) <= numberIn(std::string_view(mark).substr(slash + 1));
}

}  // namespace godwit::kinds
