#pragma once

#include <string>
#include <string_view>

#include "controllers/failures.hpp"

// A VM whose claims are edited under its running guest, with the strategy Migration: its volumes are moved to them, by
// one migration after another until they are there. An edit that is taken back calls the move off.
namespace godwit::controllers::volume_update {

struct Observed {
  bool asked = false;          // the VM names other claims than its guest uses, and wants them moved
  bool onRecord = false;       // that is in the VM's status, so that a start in between finds the data
  bool runs = false;           // the guest does, and is to go on
  bool othersMove = false;     // somebody else moves it, or its volumes
  bool underWay = false;       // a migration that was begun for this is not over
  bool sameClaims = false;     // ... and moves what is asked for
  bool arrived = false;        // ... and has moved the guest's volumes
  std::string unmovable = {};  // volumes that cannot move for how the guest uses them
  std::string missing = {};    // destinations that are not there yet
  std::string objection = {};  // another one to a destination
  std::string unfilled = {};   // what a destination waits for
  Failures failures = {};
};

enum class Duty {
  Rest,
  Wait,     // until the next attempt is due
  Begin,    // a migration
  CallOff,  // those that were begun
};

struct Step {
  Duty duty = Duty::Rest;
  // Of the condition VolumesChange: there is none while the status is empty.
  std::string_view status;
  std::string_view reason;

  bool operator==(const Step&) const = default;
};

// Reasons that others go by, too.
inline constexpr std::string_view kRestartRequired = "RestartRequired";         // nothing but a restart will do
inline constexpr std::string_view kCancellation = "VolumesChangeCancellation";  // as KubeVirt calls it

Step decide(const Observed& observed);

// The reason in a sentence, in KubeVirt's words where it has some.
std::string explain(const Step& step, const Observed& observed);

}  // namespace godwit::controllers::volume_update
