#include "base/clock.hpp"

namespace godwit {

Timestamp SystemClock::now() const { return std::chrono::system_clock::now(); }

}  // namespace godwit
