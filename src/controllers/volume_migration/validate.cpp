#include "controllers/volume_migration/validate.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace godwit::controllers::volume_migration {
namespace {

using kinds::VolumeValidation;

// Empty when it does not use the claim.
std::string volumeOf(const kinds::VirtualMachineInstanceSpec& spec, const std::string& claim) {
  for (const kinds::VolumeSpec& volume : spec.allVolumes())
    if (volume.claim() == claim) return volume.name;
  return "";
}

std::string objectionToMaking(const Candidate& candidate) {
  const std::string& storageClass = candidate.volume.destinationStorageClass;
  if (candidate.destination.classExists) return "";
  return fmt::format("Storage class {} does not exist; `kubectl get storageclass` lists those that do", storageClass);
}

std::string objectionToDestination(const Candidate& candidate) {
  const std::string& claim = candidate.volume.destinationClaim;
  const Candidate::Destination& destination = candidate.destination;
  if (!destination.exists)
    return fmt::format("The destination claim {} does not exist; make it, or say of which storage class to make one",
                       claim);
  if (destination.leaving)
    return fmt::format("The destination claim {} is being deleted, or has lost its volume; name another one", claim);
  if (destination.isSource)
    return fmt::format("The destination claim {} is the same storage as the source; name another one", claim);
  if (!destination.user.empty())
    return fmt::format("The destination claim {} is used by {}; name another one", claim, destination.user);
  if (destination.readOnly)
    return fmt::format("The destination claim {} can only be read; name one that can be written", claim);
  if (destination.bytes < candidate.sourceBytes)
    return fmt::format("The destination claim {} is smaller than the source: {} bytes where {} are needed", claim,
                       destination.bytes, candidate.sourceBytes);
  return "";
}

// What speaks against moving all of them together; empty if nothing.
std::string_view objectionToAll(const std::vector<Candidate>& candidates) {
  std::set<std::string> names;
  bool allRunning = true;
  for (const Candidate& candidate : candidates) {
    if (candidate.instance) names.insert(candidate.instance->metadata.name);
    allRunning = allRunning && candidate.instance && candidate.instance->status.phase == kinds::InstancePhase::Running;
  }
  if (names.size() > 1) return allRunning ? reason::kMultipleInstances : reason::kMultipleAndNotRunning;
  const bool someWithout =
      std::any_of(candidates.begin(), candidates.end(), [](const Candidate& one) { return !one.instance; });
  return names.size() == 1 && someWithout ? reason::kNotRunning : std::string_view();
}

// What it waits for; empty if nothing.
std::string whatIsMissing(const Candidate& candidate) {
  if (!candidate.instance) return std::string(reason::kNoInstance);
  if (candidate.instance->status.phase != kinds::InstancePhase::Running) return std::string(reason::kNotRunning);
  return candidate.destination.unfilled;
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

std::string Verdict::complaint() const {
  std::vector<std::string> complaints;
  for (const kinds::VolumeMigrationState& state : states)
    if (state.validation != VolumeValidation::Valid)
      complaints.push_back(fmt::format("{}: {}", state.sourceClaim, state.reason));
  return fmt::format("{}", fmt::join(complaints, "; "));
}

std::string_view objectionToUse(const Candidate& candidate) {
  return candidate.instance ? objectionToUse(candidate, candidate.instance->spec) : std::string_view();
}

std::string_view objectionToUse(const Candidate& candidate, const kinds::VirtualMachineInstanceSpec& spec) {
  const std::string volume = volumeOf(spec, candidate.volume.sourceClaim);
  if (volume.empty()) return {};
  const auto& devices = spec.domain.devices;
  for (const kinds::FilesystemSpec& filesystem : devices.filesystems)
    if (filesystem.name == volume) return reason::kFilesystem;
  for (const kinds::DiskSpec& disk : devices.disks) {
    if (disk.volumeName() != volume) continue;
    if (disk.shareable) return reason::kShareable;
    if (disk.lun && !candidate.betweenLuns) return reason::kLun;
  }
  return {};
}

std::string objectionTo(const Candidate& candidate) {
  if (candidate.volume.sourceClaim == candidate.volume.destinationClaim) return std::string(reason::kSameClaim);
  if (const auto objection = objectionToUse(candidate); !objection.empty()) return std::string(objection);
  return candidate.destination.toBeMade ? objectionToMaking(candidate) : objectionToDestination(candidate);
}

Verdict validate(const std::vector<Candidate>& candidates) {
  Verdict verdict;
  const std::string againstAll(objectionToAll(candidates));
  for (const Candidate& candidate : candidates) {
    kinds::VolumeMigrationState state;
    static_cast<kinds::MigratedVolume&>(state) = candidate.volume;
    const std::string objection = !againstAll.empty() ? againstAll : objectionTo(candidate);
    if (!objection.empty()) {
      state.validation = VolumeValidation::Rejected;
      state.reason = objection;
    } else if (const std::string missing = whatIsMissing(candidate); !missing.empty()) {
      state.validation = VolumeValidation::Pending;
      state.reason = missing;
    } else {
      verdict.instanceName = candidate.instance->metadata.name;
    }
    verdict.states.push_back(std::move(state));
  }
  // Of those that are going to move.
  if (verdict.allValid())
    for (std::size_t i = 0; i < candidates.size(); ++i) verdict.states[i].sourceClaimUid = candidates[i].sourceUid;
  return verdict;
}

}  // namespace godwit::controllers::volume_migration
