#pragma once

#include <optional>

#include "base/clock.hpp"
#include "hypervisor/hypervisor.hpp"

namespace godwit::mover {

// A moment of a copy.
struct Sample {
  Timestamp at;
  hypervisor::MigrationProgress copied;
};

// The moment that a description of the guest shows: of its migration, or of mirrors of its disks. Nothing when
// nothing is being copied.
std::optional<Sample> sampleOf(const hypervisor::DomainState& guest, Timestamp at);

// How fast a copy goes, and when it ends if it goes on like this. Rates swing, so they are smoothed; and the
// time left only ever counts down, unless the outlook has been worse for a while.
class Outlook {
 public:
  void note(const Sample& sample);

  std::int64_t bytesPerSecond() const { return static_cast<std::int64_t>(rate_); }
  // Nothing when it is not known, or when the end cannot be seen.
  std::optional<std::int64_t> secondsLeft() const;
  // Whether the guest changes its memory about as fast as it is copied.
  bool runsOnTheSpot() const { return onTheSpot_; }

 private:
  std::optional<double> estimate(const hypervisor::MigrationProgress& copied) const;
  void show(std::optional<double> estimate, double elapsed, Timestamp at);

  std::optional<Sample> last_;
  double rate_ = 0;  // bytes per second
  bool known_ = false;
  bool onTheSpot_ = false;
  std::optional<double> shown_;
  std::optional<Timestamp> worseSince_;
};

}  // namespace godwit::mover
