#include "node/launcher/plugging.hpp"

#include <algorithm>

namespace godwit::node::launcher {
namespace {

using hypervisor::DiskState;
using kinds::VolumeStatus;

constexpr const char* kPending = "Pending";
constexpr const char* kBound = "Bound";
constexpr const char* kReady = "Ready";
constexpr const char* kDetaching = "Detaching";

const DiskState* diskAt(const std::vector<DiskState>& attached, const std::string& target) {
  const auto found =
      std::find_if(attached.begin(), attached.end(), [&](const DiskState& disk) { return disk.target == target; });
  return found == attached.end() ? nullptr : &*found;
}

bool isAttached(const std::vector<DiskState>& attached, const std::string& target) {
  return diskAt(attached, target) != nullptr;
}

// A volume of the same name that was made of another claim has not let go of the target yet.
bool isTaken(const Plug& plug, const std::vector<DiskState>& attached) {
  const DiskState* there = diskAt(attached, plug.disk.target);
  return there && plug.source && plug.disk.hotpluggable && !there->source.sameBytes(*plug.source);
}

const VolumeStatus* find(const std::vector<VolumeStatus>& recorded, const std::string& volume) {
  const auto found =
      std::find_if(recorded.begin(), recorded.end(), [&](const VolumeStatus& status) { return status.name == volume; });
  return found == recorded.end() ? nullptr : &*found;
}

VolumeStatus describe(const Plug& plug, bool attached) {
  VolumeStatus status;
  status.name = plug.disk.volume;
  status.target = plug.disk.target;
  status.phase = attached ? kReady : plug.source ? kBound : kPending;
  status.reason = plug.source || attached ? "" : "VolumeNotReady";
  status.message = attached ? "" : plug.obstacle;
  if (plug.disk.container)
    status.containerDiskVolume = kinds::ContainerDiskVolume{};
  else
    status.persistentVolumeClaimInfo = plug.claim;
  if (plug.disk.hotpluggable) status.hotplugVolume = kinds::HotplugVolume{};
  status.size = plug.bytes;
  return status;
}

// Why the last try failed stays until another one does better.
VolumeStatus withFailure(VolumeStatus status, const VolumeStatus* before) {
  if (before && before->phase == kBound && status.phase == kBound) {
    status.reason = before->reason;
    status.message = before->message;
  }
  return status;
}

VolumeStatus leaving(VolumeStatus status) {
  status.phase = kDetaching;
  status.reason = "WaitingForGuest";
  status.message = "the guest has been asked to let go of the disk";
  return status;
}

}  // namespace

bool Plan::settled() const {
  return std::all_of(statuses.begin(), statuses.end(), [](const auto& status) { return status.phase == kReady; });
}

bool isSettled(const storage::WantedDisk& disk, const std::vector<VolumeStatus>& recorded,
               const std::vector<DiskState>& attached) {
  const VolumeStatus* known = find(recorded, disk.volume);
  const auto& claim = known ? known->persistentVolumeClaimInfo : std::nullopt;
  return known && known->phase == kReady && known->target == disk.target &&
         (claim ? claim->claimName : "") == disk.claim &&
         known->containerDiskVolume.has_value() == disk.container.has_value() &&
         known->hotplugVolume.has_value() == disk.hotpluggable && isAttached(attached, disk.target);
}

Plan plan(const std::vector<Plug>& wanted, const std::vector<DiskState>& attached,
          const std::vector<VolumeStatus>& recorded) {
  Plan made;
  for (const Plug& plug : wanted) {
    const VolumeStatus* before = find(recorded, plug.disk.volume);
    if (isTaken(plug, attached)) {
      made.statuses.push_back(leaving(before ? *before : describe(plug, false)));
      made.detach.push_back(plug.disk.target);
      continue;
    }
    const bool here = isAttached(attached, plug.disk.target);
    const bool known = isSettled(plug.disk, recorded, attached);
    made.statuses.push_back(known ? *before : withFailure(describe(plug, here), before));
    if (!here && plug.source && plug.disk.hotpluggable) made.attach.push_back(plug);
  }
  for (const VolumeStatus& status : recorded) {
    const bool still =
        std::any_of(wanted.begin(), wanted.end(), [&](const Plug& plug) { return plug.disk.volume == status.name; });
    if (still || !status.hotplugVolume || !isAttached(attached, status.target)) continue;
    made.statuses.push_back(leaving(status));
    made.detach.push_back(status.target);
  }
  return made;
}

}  // namespace godwit::node::launcher
