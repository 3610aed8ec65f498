#include "controllers/volume_migration/validate.hpp"

#include <algorithm>
#include <set>

namespace godwit::controllers::volume_migration {
namespace {

using kinds::VolumeValidation;

// Empty when the instance does not use the claim.
std::string volumeOf(const kinds::VirtualMachineInstance& instance, const std::string& claim) {
  for (const kinds::VolumeSpec& volume : instance.spec.allVolumes())
    if (volume.claim() == claim) return volume.name;
  return "";
}

// What the way a guest uses a volume has against a move; empty if nothing.
std::string_view objectionOfUse(const kinds::VirtualMachineInstance& instance, const std::string& claim) {
  const std::string volume = volumeOf(instance, claim);
  if (volume.empty()) return {};
  const auto& devices = instance.spec.domain.devices;
  for (const kinds::FilesystemSpec& filesystem : devices.filesystems)
    if (filesystem.name == volume) return reason::kFilesystem;
  for (const kinds::DiskSpec& disk : devices.disks) {
    if (disk.volumeName() != volume) continue;
    if (disk.shareable) return reason::kShareable;
    if (disk.lun) return reason::kLun;
  }
  return {};
}

std::string_view objectionOf(const Candidate& candidate) {
  if (candidate.volume.sourceClaim == candidate.volume.destinationClaim) return reason::kSameClaim;
  if (candidate.instance)
    if (const auto objection = objectionOfUse(*candidate.instance, candidate.volume.sourceClaim); !objection.empty())
      return objection;
  if (!candidate.destinationExists) return reason::kDestinationMissing;
  if (candidate.destinationLeaving) return reason::kDestinationLeaving;
  if (candidate.destinationInUse) return reason::kDestinationInUse;
  if (candidate.destinationBytes < candidate.sourceBytes) return reason::kDestinationTooSmall;
  return {};
}

// What speaks against moving all of them together; empty if nothing.
std::string_view objectionToAll(const std::vector<Candidate>& candidates) {
  std::set<std::string> names;
  bool allRunning = true;
  bool someWithout = false;
  for (const Candidate& candidate : candidates) {
    if (!candidate.instance) {
      someWithout = true;
      continue;
    }
    names.insert(candidate.instance->metadata.name);
    allRunning = allRunning && candidate.instance->status.phase == kinds::InstancePhase::Running;
  }
  if (names.empty()) return {};
  const bool several = names.size() > 1 || someWithout;
  if (several && !allRunning) return reason::kMultipleAndNotRunning;
  if (several) return reason::kMultipleInstances;
  return {};
}

}  // namespace

bool Verdict::anyRejected() const {
  return std::any_of(states.begin(), states.end(),
                     [](const auto& state) { return state.validation == VolumeValidation::Rejected; });
}

bool Verdict::allValid() const {
  return std::all_of(states.begin(), states.end(),
                     [](const auto& state) { return state.validation == VolumeValidation::Valid; });
}

Verdict validate(const std::vector<Candidate>& candidates) {
  Verdict verdict;
  const std::string_view againstAll = objectionToAll(candidates);
  for (const Candidate& candidate : candidates) {
    kinds::VolumeMigrationState state;
    static_cast<kinds::MigratedVolume&>(state) = candidate.volume;
    const std::string_view objection = !againstAll.empty() ? againstAll : objectionOf(candidate);
    const bool waits = !candidate.instance || candidate.instance->status.phase != kinds::InstancePhase::Running;
    if (!objection.empty()) {
      state.validation = VolumeValidation::Rejected;
      state.reason = objection;
    } else if (waits) {
      state.validation = VolumeValidation::Pending;
      state.reason = candidate.instance ? reason::kNotRunning : reason::kNoInstance;
    } else {
      verdict.instanceName = candidate.instance->metadata.name;
    }
    verdict.states.push_back(std::move(state));
  }
  return verdict;
}

}  // namespace godwit::controllers::volume_migration
