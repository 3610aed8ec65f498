#pragma once

#include <string_view>

// A pod that is a mover: its process does the work, its end is the pod's end.
namespace godwit::node::moving {

struct Observed {
  bool ended = false;    // the pod is
  bool running = false;  // on record
  bool beingDeleted = false;
  bool cancelRequested = false;
  bool targetDead = false;
  bool alive = false;  // the process is
  bool hasVerdict = false;
  bool moved = false;  // the verdict
};

enum class Duty { Rest, Start, Cancel, TellTargetDead, Release };

struct Step {
  std::string_view phase;  // of the pod; empty leaves it as it is
  Duty duty = Duty::Rest;

  bool operator==(const Step&) const = default;
};

Step decide(const Observed& observed);

}  // namespace godwit::node::moving
