#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "hypervisor/hypervisor.hpp"
#include "mover/journal.hpp"
#include "schema/schema.hpp"

namespace godwit::mover {

// Whether the copy of a disk was found to be what it is a copy of.
struct DiskVerification {
  std::string name;
  std::string claim;
  std::int64_t bytesDone = 0;  // compared, and found equal
  std::int64_t bytesTotal = 0;
  std::string result = {};  // Equal, Different or Impossible; empty until that is known
  std::optional<Timestamp> endTime = {};

  bool operator==(const DiskVerification&) const = default;
};

// How far the copying is, for people who wait.
struct Progress {
  Stage stage = Stage::Copying;
  std::int64_t disksDone = 0;
  std::int64_t disksTotal = 0;
  std::int64_t memoryDone = 0;
  std::int64_t memoryTotal = 0;
  std::vector<hypervisor::DiskProgress> disks = {};
  std::vector<DiskVerification> verification = {};
  std::int64_t bytesPerSecond = 0;
  std::int64_t dirtyBytesPerSecond = 0;
  std::int64_t iteration = 0;
  std::optional<std::int64_t> secondsLeft = {};  // unknown while it does not converge
  std::int64_t throttlePercent = 0;
  std::optional<std::int64_t> downtimeMs = {};  // once the guest runs at the target
  std::string advice = {};                      // what would help a move that does not converge
  std::string mode = {};                        // "Paused" or "PostCopy", once it came to that

  bool operator==(const Progress&) const = default;
};

// The same in a sentence; empty while there is nothing to say.
std::string sentenceOf(const Progress& progress);

// "12 MiB", "1.5 GiB".
std::string sayBytes(std::int64_t bytes);

}  // namespace godwit::mover

namespace godwit::schema {

template <>
inline constexpr auto schema<hypervisor::DiskProgress> =
    object(field<&hypervisor::DiskProgress::target>("name", "The disk, as the guest knows it."),
           field<&hypervisor::DiskProgress::bytesDone>("bytesDone", "Bytes copied."),
           field<&hypervisor::DiskProgress::bytesTotal>("bytesTotal", "Bytes to copy."));

template <>
inline constexpr auto schema<mover::DiskVerification> =
    object(field<&mover::DiskVerification::name>("name", "The disk, as the guest knows it."),
           field<&mover::DiskVerification::claim>("claim", "The claim it is copied from."),
           field<&mover::DiskVerification::bytesDone>("bytesDone", "Bytes compared, and found equal."),
           field<&mover::DiskVerification::bytesTotal>("bytesTotal", "Bytes to compare."),
           field<&mover::DiskVerification::result>("result", "What came of it."),
           field<&mover::DiskVerification::endTime>("endTime", "When."));

template <>
inline constexpr auto schema<mover::Progress> =
    object(field<&mover::Progress::stage>("stage", "How far the move is.", required),
           field<&mover::Progress::disksDone>("disksDone", "Bytes of disks copied."),
           field<&mover::Progress::disksTotal>("disksTotal", "Bytes of disks to copy."),
           field<&mover::Progress::memoryDone>("memoryDone", "Bytes of memory copied."),
           field<&mover::Progress::memoryTotal>("memoryTotal", "Bytes of memory to copy."),
           field<&mover::Progress::disks>("disks", "Disk by disk."),
           field<&mover::Progress::verification>("verification", "What the comparison of the copies has shown."),
           field<&mover::Progress::bytesPerSecond>("bytesPerSecond", "How fast it goes."),
           field<&mover::Progress::dirtyBytesPerSecond>("dirtyBytesPerSecond", "How fast the guest changes memory."),
           field<&mover::Progress::iteration>("iteration", "How often memory has been gone through."),
           field<&mover::Progress::secondsLeft>("secondsLeft", "Until it ends, if it goes on like this."),
           field<&mover::Progress::throttlePercent>("throttlePercent", "How much the guest is slowed down."),
           field<&mover::Progress::downtimeMs>("downtimeMs", "How long the guest stood still."),
           field<&mover::Progress::advice>("advice", "What would help a move that does not converge."),
           field<&mover::Progress::mode>("mode", "How memory is copied, unless as usual."));

}  // namespace godwit::schema
