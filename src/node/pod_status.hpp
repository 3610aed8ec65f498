#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinds/pod.hpp"
#include "node/site.hpp"

namespace godwit::node {

struct PodReport {
  std::string_view phase;
  std::string_view reason;
  std::string message = {};
  bool ready = true;                            // while it is Running
  std::optional<kinds::ContainerEnd> end = {};  // of what ran in it
};

// Writes the pod's phase, with the Ready condition that goes with it. Somebody else's
// write in between is no obstacle: only this node writes it.
Result<> reportPod(const Site& site, const kinds::Pod& pod, const PodReport& report);

// The same for a report that something else depends on: Conflict when the pod is not as it was any more, and NotFound
// when it is gone.
Result<> reportNews(const Site& site, const kinds::Pod& pod, const PodReport& report);

// Lets go of a pod that is being deleted.
Result<> releasePod(const Site& site, const kinds::Pod& pod);

}  // namespace godwit::node
