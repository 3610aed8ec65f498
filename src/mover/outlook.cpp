#include "mover/outlook.hpp"

#include <algorithm>
#include <cmath>

namespace godwit::mover {
namespace {

using namespace std::chrono_literals;

using hypervisor::MigrationProgress;

// Of two moments that are nearer to each other nobody can tell how fast it goes.
constexpr Duration kShortest = 200ms;
// After so long, two thirds of a rate are what is new.
constexpr double kMemorySeconds = 4;
// How much longer it may seem to take, and for how long, before that is believed.
constexpr double kDoubtShare = 0.2, kDoubtSeconds = 2;
constexpr Duration kPatience = 5s;
// Each round through the memory must be so much shorter than the one before for the end to be in sight.
constexpr double kLongestRound = 0.8;

double inSeconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

bool isFollowUp(const MigrationProgress& copied) { return copied.iteration > 1; }

}  // namespace

std::optional<Sample> sampleOf(const hypervisor::DomainState& guest, Timestamp at) {
  if (guest.outgoing) {
    Sample sample{at, *guest.outgoing};
    // While disks are copied the hypervisor does not yet count the memory that comes after them.
    if (sample.copied.memoryTotal == 0) sample.copied.memoryTotal = sample.copied.memoryRemaining = guest.memoryBytes;
    return sample;
  }
  MigrationProgress copied;
  for (const hypervisor::DiskState& disk : guest.disks)
    if (disk.mirror) {
      copied.disks.push_back({disk.target, disk.mirror->bytesDone, disk.mirror->bytesTotal});
      copied.disksDone += disk.mirror->bytesDone;
      copied.disksTotal += disk.mirror->bytesTotal;
    }
  return copied.disks.empty() ? std::nullopt : std::optional(Sample{at, std::move(copied)});
}

void Outlook::note(const Sample& sample) {
  const MigrationProgress& copied = sample.copied;
  if (!last_) {
    last_ = sample;
    return;
  }
  const Duration elapsed = sample.at - last_->at;
  if (elapsed < kShortest) return;
  const double seconds = inSeconds(elapsed);
  const std::int64_t moved = copied.disksDone + copied.memorySent - last_->copied.disksDone - last_->copied.memorySent;
  const double rate = static_cast<double>(std::max<std::int64_t>(0, moved)) / seconds;
  rate_ = known_ ? rate_ + (rate - rate_) * (1 - std::exp(-seconds / kMemorySeconds)) : rate;
  known_ = known_ || moved > 0;
  onTheSpot_ = isFollowUp(copied) && static_cast<double>(copied.dirtyBytesPerSecond) >= kLongestRound * rate_;
  show(estimate(copied), seconds, sample.at);
  last_ = sample;
}

std::optional<std::int64_t> Outlook::secondsLeft() const {
  return shown_ ? std::optional(static_cast<std::int64_t>(std::ceil(*shown_))) : std::nullopt;
}

// What a round through the memory leaves over is as much as the guest changes meanwhile, and so on: all
// rounds together take as long as what remains would take at the rate by which copying is the faster one.
std::optional<double> Outlook::estimate(const MigrationProgress& copied) const {
  if (rate_ <= 0 || onTheSpot_) return std::nullopt;
  const double gain = isFollowUp(copied) ? rate_ - static_cast<double>(copied.dirtyBytesPerSecond) : rate_;
  return static_cast<double>(copied.disksTotal - copied.disksDone) / rate_ +
         static_cast<double>(copied.memoryRemaining) / gain;
}

void Outlook::show(std::optional<double> estimate, double elapsed, Timestamp at) {
  const double expected = shown_ ? std::max(0.0, *shown_ - elapsed) : 0;
  const bool worse = shown_ && estimate && *estimate > expected + std::max(kDoubtSeconds, kDoubtShare * expected);
  if (!worse) {
    worseSince_.reset();
    shown_ = shown_ && estimate ? std::min(expected, *estimate) : estimate;
    return;
  }
  if (!worseSince_) worseSince_ = at;
  const bool believed = at - *worseSince_ >= kPatience;
  shown_ = believed ? *estimate : expected;
  if (believed) worseSince_.reset();
}

}  // namespace godwit::mover
