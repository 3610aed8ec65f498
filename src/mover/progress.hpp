#pragma once

#include <cstdint>

#include "mover/journal.hpp"
#include "schema/schema.hpp"

namespace godwit::mover {

// How far the copying is, for people who wait.
struct Progress {
  Stage stage = Stage::Copying;
  std::int64_t disksDone = 0;
  std::int64_t disksTotal = 0;
  std::int64_t memoryDone = 0;
  std::int64_t memoryTotal = 0;

  bool operator==(const Progress&) const = default;
};

}  // namespace godwit::mover

namespace godwit::schema {

template <>
inline constexpr auto schema<mover::Progress> =
    object(field<&mover::Progress::stage>("stage", "How far the move is.", required),
           field<&mover::Progress::disksDone>("disksDone", "Bytes of disks copied."),
           field<&mover::Progress::disksTotal>("disksTotal", "Bytes of disks to copy."),
           field<&mover::Progress::memoryDone>("memoryDone", "Bytes of memory copied."),
           field<&mover::Progress::memoryTotal>("memoryTotal", "Bytes of memory to copy."));

}  // namespace godwit::schema
