#pragma once

#include <utility>

#include "base/clock.hpp"
#include "base/mutex.hpp"

namespace godwit {

// Rung from any thread, waited for on one. Rings that nobody has waited for count as one.
class Bell {
 public:
  void ring() {
    const Lock lock(mutex_);
    rung_ = true;
    signal_.notifyAll();
  }

  // Whether it rang, and not just `stop` was requested.
  bool wait(std::stop_token stop) {
    const Lock lock(mutex_);
    signal_.wait(mutex_, std::move(stop), [&]() REQUIRES(mutex_) { return rung_; });
    return std::exchange(rung_, false);
  }

  // The same, but not for longer than `patience`.
  bool waitFor(Duration patience, std::stop_token stop) {
    const Lock lock(mutex_);
    signal_.waitFor(mutex_, std::move(stop), patience, [&]() REQUIRES(mutex_) { return rung_; });
    return std::exchange(rung_, false);
  }

 private:
  Mutex mutex_;
  Signal signal_;
  bool rung_ GUARDED_BY(mutex_) = false;
};

}  // namespace godwit
