#include "mover/verification.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace godwit::mover {
namespace {

using namespace std::chrono_literals;

constexpr const char* kEqual = "Equal";
constexpr const char* kDifferent = "Different";
constexpr const char* kImpossible = "Impossible";

// A sector that differs so long is written all the time, or is not the same.
constexpr Duration kLongestDoubt = 1s;
// What cannot be read for so long will not be.
constexpr Duration kLongestSilence = 10s;
constexpr Duration kDoubtAgainAfter = 100ms;
constexpr std::int64_t kSector = 512;
constexpr std::int64_t kDoubtful = 64 << 10;  // bytes that are looked at again
constexpr std::int64_t kLeast = 1 << 20, kMost = std::int64_t{4} << 30;
// So long a look may take, for a cancel to be heard soon.
constexpr Duration kShortLook = 200ms, kLongLook = 1s;
// With a limit there are so many looks in a second.
constexpr std::int64_t kLooksPerSecond = 4;

bool isOpen(const DiskVerification& disk) { return disk.result.empty(); }

const hypervisor::DiskState* findMirrored(const hypervisor::DomainState& guest, const std::string& target) {
  for (const hypervisor::DiskState& disk : guest.disks)
    if (disk.target == target && disk.mirror) return &disk;
  return nullptr;
}

}  // namespace

Verification::Verification(const Orders& orders, FirstDifference firstDifference, const Clock& clock)
    : asked_(orders.verify && orders.inPlace),
      firstDifference_(std::move(firstDifference)),
      clock_(clock),
      reach_(16 * kLeast) {
  if (!asked_) return;
  for (const MovedDisk& disk : orders.disks) disks_.push_back({.name = disk.target, .claim = disk.claim});
}

Agreement Verification::agreement() const {
  if (!asked_) return Agreement::Unasked;
  const auto any = [&](const char* result) {
    return std::any_of(disks_.begin(), disks_.end(), [&](const auto& disk) { return disk.result == result; });
  };
  if (any(kDifferent)) return Agreement::Different;
  if (any(kImpossible)) return Agreement::Impossible;
  if (undecided_) return Agreement::Doubtful;
  return std::any_of(disks_.begin(), disks_.end(), isOpen) ? Agreement::Pending : Agreement::Equal;
}

Duration Verification::lookAgainAfter(const Options& options) const {
  if (stuckSince_) return kDoubtAgainAfter;
  return options.bandwidthBytesPerSecond > 0 ? Duration(1s) / kLooksPerSecond : Duration::zero();
}

Result<> Verification::goOn(const hypervisor::DomainState& guest, const Options& options,
                            const std::function<Result<std::int64_t>(const std::string& disk)>& sizeOf) {
  const auto disk = std::find_if(disks_.begin(), disks_.end(), isOpen);
  const Agreement known = agreement();
  if (disk == disks_.end() || (known != Agreement::Pending && known != Agreement::Doubtful)) return {};
  const hypervisor::DiskState* const mirrored = findMirrored(guest, disk->name);
  if (!mirrored) return fail(Code::Conflict, fmt::format("{} is not mirrored", disk->name));
  if (disk->bytesTotal == 0) disk->bytesTotal = TRY(sizeOf(disk->name));
  still_ = guest.state == hypervisor::RunState::Paused && mirrored->mirror->hasCaughtUp();
  const storage::Stretch stretch = nextStretch(*disk, options);
  const Timestamp begin = clock_.now();
  const auto difference = firstDifference_(mirrored->source, mirrored->mirror->destination, stretch);
  if (!difference) {
    noteFailure(*disk, difference.error());
    return {};
  }
  note(*disk, stretch, *difference);
  if (!stuckSince_) keepPace(clock_.now() - begin);
  return {};
}

storage::Stretch Verification::nextStretch(const DiskVerification& disk, const Options& options) const {
  std::int64_t reach = doubtful_ ? kDoubtful : reach_;
  if (const std::int64_t limit = options.bandwidthBytesPerSecond / kLooksPerSecond; limit > 0)
    reach = std::min(reach, std::max(limit / kSector * kSector, kSector));
  return {disk.bytesDone, std::min(reach, disk.bytesTotal - disk.bytesDone)};
}

void Verification::note(DiskVerification& disk, const storage::Stretch& looked,
                        std::optional<std::int64_t> difference) {
  const std::int64_t equalUpTo = difference.value_or(looked.from + looked.length);
  doubtful_ = difference.has_value();
  if (equalUpTo > disk.bytesDone || !difference) {
    stuckSince_.reset();
    undecided_ = false;
  }
  disk.bytesDone = equalUpTo;
  if (difference) return noteDifference(disk, *difference);
  if (disk.bytesDone == disk.bytesTotal) end(disk, kEqual);
}

void Verification::noteDifference(DiskVerification& disk, std::int64_t at) {
  undecided_ = stuckFor(kLongestDoubt);
  if (!still_) return;
  end(disk, kDifferent,
      fmt::format("the copy of claim {}, disk {}, is not the same at byte {}; the guest stays on what it has, and "
                  "the storage of the copy is not to be trusted",
                  disk.claim, disk.name, at));
}

void Verification::noteFailure(DiskVerification& disk, const Error& error) {
  if (error.code != Code::Invalid && !stuckFor(kLongestSilence)) return;
  end(disk, kImpossible,
      fmt::format("claim {}, disk {}, cannot be compared with its copy: {}", disk.claim, disk.name, error.message));
}

void Verification::end(DiskVerification& disk, const char* result, std::string complaint) {
  disk.result = result;
  disk.endTime = clock_.now();
  complaint_ = std::move(complaint);
  stuckSince_.reset();
}

bool Verification::stuckFor(Duration time) {
  if (!stuckSince_) stuckSince_ = clock_.now();
  return clock_.now() - *stuckSince_ >= time;
}

// What is empty is compared in no time, however much it is.
void Verification::keepPace(Duration took) {
  if (took < kShortLook) reach_ = std::min(kMost, reach_ * 2);
  if (took > kLongLook) reach_ = std::max(kLeast, reach_ / 2);
}

}  // namespace godwit::mover
