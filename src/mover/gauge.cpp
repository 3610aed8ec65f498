#include "mover/gauge.hpp"

namespace godwit::mover {

void Gauge::expectMemory(std::int64_t bytes) {
  if (progress_.memoryTotal == 0) progress_.memoryTotal = bytes;
}

void Gauge::note(const Sample& sample, const Options& options) {
  const hypervisor::MigrationProgress& copied = sample.copied;
  // Before it begins, and once it is over, the hypervisor knows of no bytes.
  if (copied.disksTotal + copied.memoryTotal == 0) return;
  outlook_.note(sample);
  patience_.note(sample);
  progress_.disksDone = copied.disksDone;
  progress_.disksTotal = copied.disksTotal;
  progress_.memoryDone = copied.memoryTotal - copied.memoryRemaining;
  progress_.memoryTotal = copied.memoryTotal;
  if (!copied.disks.empty()) progress_.disks = copied.disks;
  progress_.bytesPerSecond = outlook_.bytesPerSecond();
  progress_.dirtyBytesPerSecond = copied.dirtyBytesPerSecond;
  progress_.iteration = copied.iteration;
  progress_.secondsLeft = outlook_.secondsLeft();
  progress_.throttlePercent = copied.throttlePercent;
  progress_.advice = outlook_.runsOnTheSpot() ? adviseOn(progress_, options) : "";
}

void Gauge::enter(Stage stage) {
  progress_.stage = stage;
  if (stage == Stage::Holding && progress_.memoryTotal > 0) progress_.mode = "Paused";
  if (stage == Stage::PostCopying) progress_.mode = "PostCopy";
  if (isCopying(stage) || stage == Stage::PostCopying) return;
  progress_.secondsLeft.reset();
  progress_.advice.clear();
  if (stage != Stage::Moved) return;
  progress_.disksDone = progress_.disksTotal;
  progress_.memoryDone = progress_.memoryTotal;
  for (hypervisor::DiskProgress& disk : progress_.disks) disk.bytesDone = disk.bytesTotal;
}

void Gauge::noteResumed(Timestamp at) {
  const auto stood = standstill_.until(at);
  if (stood && !progress_.downtimeMs)
    progress_.downtimeMs = std::chrono::duration_cast<std::chrono::milliseconds>(*stood).count();
}

}  // namespace godwit::mover
