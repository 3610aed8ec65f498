#pragma once

#include <optional>

#include "base/clock.hpp"
#include "base/mutex.hpp"

namespace godwit::mover {

// How long the guest stands still for its move. What stops it is told by an event that does not say so; so the time
// is that of the first event since the guest was last seen running. For any thread.
class Standstill {
 public:
  // Something has happened to the source's copy.
  void stir(Timestamp at) {
    const Lock lock(mutex_);
    ++stirs_;
    if (!since_) since_ = at;
  }

  // To be asked for before a look at the source's copy, whose answer is then noted with it.
  int beginLook() {
    const Lock lock(mutex_);
    return stirs_;
  }
  void noteRunning(int look) {
    const Lock lock(mutex_);
    if (stirs_ == look) since_.reset();
  }
  void noteStill(Timestamp at) {
    const Lock lock(mutex_);
    if (!since_) since_ = at;
  }

  // Nothing when nobody was there to see it stop.
  std::optional<Duration> until(Timestamp resumed) {
    const Lock lock(mutex_);
    return since_ ? std::optional<Duration>(resumed - *since_) : std::nullopt;
  }

 private:
  Mutex mutex_;
  int stirs_ GUARDED_BY(mutex_) = 0;
  std::optional<Timestamp> since_ GUARDED_BY(mutex_);
};

}  // namespace godwit::mover
