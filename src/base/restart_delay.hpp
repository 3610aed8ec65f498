#pragma once

#include <algorithm>
#include <chrono>

namespace godwit {

// How long a command that ended waits to be started again: ever longer while it keeps dying young.
class RestartDelay {
 public:
  using milliseconds = std::chrono::milliseconds;

  static constexpr milliseconds kShortest{200};
  static constexpr milliseconds kLongest{5'000};
  static constexpr milliseconds kOldAge{10'000};

  milliseconds after(std::chrono::nanoseconds life) {
    if (life >= kOldAge) next_ = kShortest;
    const milliseconds delay = next_;
    next_ = std::min(2 * next_, kLongest);
    return delay;
  }

 private:
  milliseconds next_ = kShortest;
};

}  // namespace godwit
