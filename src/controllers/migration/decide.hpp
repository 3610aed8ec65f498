#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "kinds/migration.hpp"

// One attempt to move a guest. The mover on the source's node does the work; this table
// says when it may begin, and what its verdict means.
namespace godwit::controllers::migration {

using kinds::MigrationPhase;

struct Observed {
  struct Instance {
    bool running = false;
    bool ended = false;
    bool heldByUs = false;             // its migrationState names this migration
    bool heldByAnother = false;        // ... or one that is not completed
    bool handedOff = false;            // its migrationState names the target
    bool handedOver = false;           // it is on record that the guest is the target's
    std::string unattachedClaim = {};  // to be moved, and not used by it
  };
  struct TargetPod {
    bool bound = false;
    bool onSource = false;
    bool ready = false;
    bool failed = false;
    bool unschedulable = false;
    std::string message = {};
  };
  struct MoverPod {
    bool succeeded = false;
    bool failed = false;
    std::string message = {};
  };

  MigrationPhase phase = MigrationPhase::Unset;
  std::string reason;  // on record
  bool cancelRequested = false;
  bool inPlace = false;
  Duration inPhase = {};
  std::string instanceName;
  std::string missingClaim;  // a destination that does not exist
  std::optional<Instance> instance;
  std::optional<TargetPod> target;
  std::optional<MoverPod> mover;
};

struct Step {
  MigrationPhase phase = MigrationPhase::Unset;
  std::string_view reason;

  bool operator==(const Step&) const = default;
};

enum class Duty {
  Rest,
  ClaimInstance,
  CreateTarget,
  HandOff,
  CreateMover,
  CancelMover,
  HandOver,
  CleanUp,   // after success
  GiveBack,  // after failure
};

Step decide(const Observed& observed);

// What must be made true while the migration stands in `phase`. Safe to repeat.
Duty dutyOf(MigrationPhase phase, const Observed& observed);

// The reason in a sentence, with what was seen.
std::string explain(const Step& step, const Observed& observed);

}  // namespace godwit::controllers::migration
