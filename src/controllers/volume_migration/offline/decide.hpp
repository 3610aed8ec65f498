#pragma once

#include "base/clock.hpp"
#include "controllers/volume_migration/decide.hpp"

// Volumes that no guest runs on are copied, each by a pod; then the VM that names them is told where they are.
namespace godwit::controllers::volume_migration::offline {

// On record when all copies are whole, and before any VM is changed.
inline constexpr std::string_view kUpdatingMachine = "UpdatingMachine";
inline constexpr std::string_view kTryingAgain = "TryingAgain";

struct Observed {
  // All of the present attempt, taken together.
  struct Copies {
    bool made = false;         // there is one for every volume
    bool begun = false;        // one of them, at least
    bool done = false;         // all of them
    bool sourceInUse = false;  // a guest was there first
    bool hopeless = false;     // one has failed by what no attempt can change
    bool failed = false;
    Duration failedFor = {};
  };

  Phase phase = Phase::Unset;
  std::string reason;  // on record
  bool beingDeleted = false;
  bool rejected = false;
  bool allValid = false;
  std::int64_t attempt = 0;  // on record
  Copies copies;
  bool machineFollowed = true;  // no VM names a source any more, and none can be started there from what it was before
};

enum class Duty { Rest, MakeCopies, RemoveCopies, UpdateMachine, Conclude, ClearAway };

Step decide(const Observed& observed);
// What must be made true while the object stands at `step`. Safe to repeat.
Duty dutyOf(const Step& step, const Observed& observed);

// How long a failed attempt is followed by none.
Duration waitAfter(const Observed& observed);

}  // namespace godwit::controllers::volume_migration::offline
