#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/clock.hpp"
#include "base/mutex.hpp"

namespace godwit::controllers::node_lifecycle {

// When each node was last heard of, by the clock of who listens: a lease that is not as it was has just been renewed,
// whatever time the node itself believes it is.
class Heartbeats {
 public:
  // How long the renewal has been the last one; none at all when it is seen for the first time.
  Duration silence(const std::string& node, std::optional<Timestamp> renewal, Timestamp now) {
    const Lock lock(mutex_);
    const auto [last, first] = last_.try_emplace(node, Beat{renewal, now});
    if (!first && last->second.renewal != renewal) last->second = {renewal, now};
    return now - last->second.heardAt;
  }

  // The node gets its whole time again.
  void forget(const std::string& node) {
    const Lock lock(mutex_);
    last_.erase(node);
  }

 private:
  struct Beat {
    std::optional<Timestamp> renewal;
    Timestamp heardAt;
  };

  Mutex mutex_;
  std::map<std::string, Beat> last_ GUARDED_BY(mutex_);
};

}  // namespace godwit::controllers::node_lifecycle
