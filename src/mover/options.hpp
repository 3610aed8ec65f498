#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "hypervisor/hypervisor.hpp"
#include "schema/schema.hpp"

namespace godwit::mover {

// How a move goes about its work; may be changed while it runs.
struct Options {
  std::int64_t bandwidthBytesPerSecond = 0;    // for memory and disks; 0: no limit
  std::int64_t maxDowntimeMs = 0;              // 0: as the hypervisor has it
  std::int64_t completionTimeoutPerGiB = 150;  // seconds that memory may take; 0: any time
  std::int64_t progressTimeout = 150;          // seconds; 0: none
  bool autoConverge = false;                   // holds for a copy that is begun from then on
  bool disruption = false;                     // the guest may be made to wait when time is up
  bool postCopy = false;                       // and even go on before its memory is there
  bool holdSwitchOver = false;                 // in place: disks are kept equal until this is said no more

  bool operator==(const Options&) const = default;

  hypervisor::Tuning tuning() const { return {bandwidthBytesPerSecond, maxDowntimeMs}; }
};

Result<Options> parseOptions(std::string_view text);
std::string writeOptions(const Options& options);

}  // namespace godwit::mover

namespace godwit::schema {

template <>
inline constexpr auto schema<mover::Options> = object(
    field<&mover::Options::bandwidthBytesPerSecond>("bandwidthBytesPerSecond", "For memory and disks."),
    field<&mover::Options::maxDowntimeMs>("maxDowntimeMs", "That the guest may stand still at the end."),
    field<&mover::Options::completionTimeoutPerGiB>("completionTimeoutPerGiB", "Seconds for each GiB of memory."),
    field<&mover::Options::progressTimeout>("progressTimeout", "Seconds without progress."),
    field<&mover::Options::autoConverge>("autoConverge", "Whether the guest may be slowed down."),
    field<&mover::Options::disruption>("disruption", "Whether it may be made to wait."),
    field<&mover::Options::postCopy>("postCopy", "Whether it may go on before its memory is there."),
    field<&mover::Options::holdSwitchOver>("holdSwitchOver", "Whether disks are only kept equal."));

}  // namespace godwit::schema
