#pragma once

#include <string>
#include <string_view>

#include "controllers/failures.hpp"

// A guest that is to leave its node is moved away, by one migration after another until it has left.
namespace godwit::controllers::evacuation {

struct Observed {
  bool toLeave = false;       // its node
  bool strays = false;        // a migration would take it away though that is no longer wanted
  bool runs = false;          // it does, and is to go on
  bool left = false;          // it is on another node
  bool cordonLifted = false;  // it was to leave because of a cordon, which is no more
  bool byOthers = false;      // its owner has somebody else move it
  bool underWay = false;      // a migration of it is not over
  std::string obstacle = {};  // why it cannot move
  Failures failures = {};     // of migrations for this purpose
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

}  // namespace godwit::controllers::evacuation
