#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinds/virtual_machine_instance.hpp"

// An instance is brought to life by a pod, and lives as long as its active pod does.
namespace godwit::controllers::virtual_machine_instance {

using kinds::InstancePhase;

// Why an instance that has a node does not run yet.
inline constexpr std::string_view kWaitingForDataVolume = "WaitingForDataVolume";

struct Observed {
  struct Pod {
    std::string node = {};  // empty until it is bound
    std::string phase = {};
    std::string message = {};  // of its node or of the scheduler
    bool unschedulable = false;
    bool lost = false;  // failed because its node is known to be dead
  };

  InstancePhase phase = InstancePhase::Unset;
  std::string reason;  // on record
  bool beingDeleted = false;
  bool moving = false;           // a migration that is not over may have the guest elsewhere
  bool volumesUnfilled = false;  // some of its volumes
  std::optional<Pod> pod;        // the active one; the first one until there is one
};

struct Step {
  InstancePhase phase = InstancePhase::Unset;
  std::string_view reason;

  bool operator==(const Step&) const = default;
};

enum class Duty { Rest, CreatePod, TearDown };

Step decide(const Observed& observed);

// What must be made true while the instance stands in `phase`. Safe to repeat.
Duty dutyOf(InstancePhase phase, const Observed& observed);

}  // namespace godwit::controllers::virtual_machine_instance
