#pragma once

#include <string>
#include <string_view>

#include "base/clock.hpp"

// A guest that is to leave its node is moved away, by one migration after another until it has left.
namespace godwit::controllers::evacuation {

struct Observed {
  bool toLeave = false;          // its node
  bool strays = false;           // a migration would take it away though that is no longer wanted
  bool runs = false;             // it does, and is to go on
  bool left = false;             // it is on another node
  bool cordonLifted = false;     // it was to leave because of a cordon, which is no more
  bool byOthers = false;         // its owner has somebody else move it
  bool underWay = false;         // a migration of it is not over
  std::string obstacle = {};     // why it cannot move
  int failures = 0;              // of migrations for this purpose, in a row
  Duration sinceFailure = {};    // the last of them
  std::string lastFailure = {};  // in its own words
};

enum class Duty {
  Rest,
  Wait,     // until the next attempt is due
  Begin,    // a migration
  CallOff,  // migrations that were begun for this purpose, and then the purpose itself
  Forget,   // the purpose: it is reached, or void
};

struct Step {
  Duty duty = Duty::Rest;
  std::string_view reason;  // of the condition EvictionRequested; empty: there is none

  bool operator==(const Step&) const = default;
};

Step decide(const Observed& observed);

// The reason in a sentence.
std::string explain(const Step& step, const Observed& observed);

// How long to wait after so many failures in a row: 20 seconds, then twice as long each time, up to 320.
Duration patience(int failures);

}  // namespace godwit::controllers::evacuation
