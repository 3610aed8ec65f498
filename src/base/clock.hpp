#pragma once

#include <chrono>

namespace godwit {

using Timestamp = std::chrono::system_clock::time_point;
using Duration = std::chrono::nanoseconds;

// The only way to learn the time. Whoever wants to know it is handed one.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Timestamp now() const = 0;
};

class SystemClock final : public Clock {
 public:
  Timestamp now() const override;
};

// A clock that stands still until it is moved.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Timestamp start = Timestamp(std::chrono::seconds(1'800'000'000))) : now_(start) {}

  Timestamp now() const override { return now_; }
  void advance(Duration by) { now_ += std::chrono::duration_cast<Timestamp::duration>(by); }

 private:
  Timestamp now_;
};

}  // namespace godwit
