#pragma once

#include <string_view>

// A pod that is an importer: its process fills the volume, its end is the pod's end.
namespace godwit::node::importing {

struct Observed {
  bool ended = false;    // the pod is
  bool running = false;  // on record
  bool ready = false;    // on record
  bool beingDeleted = false;
  bool alive = false;    // the process is
  bool waiting = false;  // for an upload, and listens
  bool hasVerdict = false;
  bool filled = false;  // the verdict
};

enum class Duty { Rest, GiveOrders, Start, SayReady, Cancel, Release };

struct Step {
  std::string_view phase;  // of the pod; empty leaves it as it is. GiveOrders brings it to Running itself.
  Duty duty = Duty::Rest;

  bool operator==(const Step&) const = default;
};

Step decide(const Observed& observed);

}  // namespace godwit::node::importing
