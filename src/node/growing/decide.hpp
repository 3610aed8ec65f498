#pragma once

#include <string_view>

// A volume that has yet to become as large as its capacity says: which node makes it so, and how.
namespace godwit::node::growing {

struct Observed {
  // As the API server itself says, of the instances that use the volume.
  bool userMoves = false;
  bool usedHere = false;       // this node is to run its guest
  bool usedElsewhere = false;  // another node is

  bool guestSeen = false;       // the domain is here, and has the volume for a disk
  bool growsUnderGuest = true;  // not a LUN: its daemon measures it only when nobody uses it
};

enum class Duty {
  Wait,  // somebody will soon know more
  LeaveToOther,
  Grow,  // no guest has it
  GrowUnderGuest,
};

Duty decide(const Observed& observed);

}  // namespace godwit::node::growing
