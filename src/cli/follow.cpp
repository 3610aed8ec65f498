#include "cli/follow.hpp"

#include <algorithm>
#include <memory>

#include "base/bell.hpp"

namespace godwit::cli {

Following follow(client::Reflector& cache, Duration patience, const std::function<bool()>& look, std::stop_token stop) {
  constexpr auto kAskAgainAfter = std::chrono::milliseconds(500);
  const auto bell = std::make_shared<Bell>();
  const SystemClock clock;
  const Timestamp deadline = clock.now() + patience;
  while (!stop.stop_requested()) {
    const auto heard = cache.pump();
    if (heard && look()) return Following::Done;
    const Duration left = deadline - clock.now();
    if (left <= Duration::zero()) return Following::TimeIsUp;
    if (heard) cache.whenReady([bell] { bell->ring(); });
    bell->waitFor(heard ? left : std::min<Duration>(left, kAskAgainAfter), stop);
  }
  return Following::Interrupted;
}

}  // namespace godwit::cli
