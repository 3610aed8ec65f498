#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "controllers/migration/restriction.hpp"

// One attempt to move a guest. The mover on the source's node does the work; this table
// says when it may begin, and what its verdict means.
namespace godwit::controllers::migration {

using kinds::MigrationPhase;

inline constexpr std::string_view kInSync = "InSync";                           // a mover's stage
inline constexpr std::string_view kAbortRequested = "migrationAbortRequested";  // a condition, and its reasons:
inline constexpr std::string_view kMigrationDeleted = "MigrationDeleted";
inline constexpr std::string_view kOutcomeGivenUp = "OutcomeGivenUp";  // deleted after OutcomeUnknown was on record
inline constexpr std::string_view kRejectedByQuota = "migrationRejectedByResourceQuota";  // a condition: the target was

// A reason for which a migration may stay as it is until people have had a look.
constexpr bool isOpen(std::string_view reason) { return reason == "OutcomeUnknown" || reason == "DisksApart"; }

struct Observed {
  struct Instance {
    bool running = false;
    bool ended = false;
    bool leaving = false;              // it was deleted
    bool heldByUs = false;             // its migrationState names this migration
    bool heldByAnother = false;        // ... or one that is not completed
    bool handedOff = false;            // its migrationState names the target
    bool paused = false;               // its guest stands still, or is to
    bool handedOver = false;           // it is on record that the guest is the target's
    bool dead = false;                 // its node is, and the guest was there
    bool abortRequested = false;       // while we held it
    std::string unattachedClaim = {};  // to be moved, and not used by it
  };
  struct TargetPod {
    bool bound = false;
    bool onSource = false;
    bool ready = false;
    bool failed = false;
    bool unschedulable = false;
    bool refused = false;  // by its node, which found that its volumes cannot be had
    bool ended = false;
    bool arrived = false;     // its node has found the guest running there, after the source had died
    bool onDeadNode = false;  // or was, until it came back without what it had
    std::string name = {};
    std::string node = {};
    std::string message = {};
  };
  struct MoverPod {
    bool succeeded = false;
    bool failed = false;
    bool lost = false;        // given up because its node is known to be dead
    bool onDeadNode = false;  // and not given up yet
    std::string reason = {};
    std::string message = {};
  };

  MigrationPhase phase = MigrationPhase::Unset;
  std::string reason;  // on record
  std::string stage;   // of the mover, as far as it is known
  bool cancelRequested = false;
  bool outcomeGivenUp = false;  // cancelled by somebody who had been told that nobody knows where the guest's data is
  bool inPlace = false;
  bool movesVolumes = false;
  Duration inPhase = {};
  std::string instanceName;
  std::string sourceNode;
  std::string missingClaim;     // a destination that does not exist
  std::string refusal;          // what speaks against moving the volumes
  bool machineFollowed = true;  // the VM's spec names no claim any more that was moved from
  std::string overQuota;        // what the server said when it refused the target for the namespace's quota
  Prospect prospect;
  bool restricted = false;                 // by the migration, beside what the VM asks for
  bool unsettled = false;                  // an old pod of the guest is still there, or a destination is not bound yet
  bool optionsChanged = false;             // since they were put on record
  std::optional<kinds::QueuePlace> queue;  // where it waits for its turn: to begin, or to arrive
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
  TellTargetDead,  // to the mover
  AbandonMover,    // for good: its node is dead
  TellOptions,     // that have changed
  AskTarget,       // what it has of the guest, now that nobody moves it any more
  HandOver,
  UpdateMachine,  // to name the claims that its guest uses by now
  CleanUp,        // after success
  GiveBack,       // after failure
};

// Whether nothing but its turn is missing for it to begin.
bool mayBeClaimed(const Observed& observed);

Step decide(const Observed& observed);

// What must be made true while the migration stands in `phase`. Safe to repeat.
Duty dutyOf(MigrationPhase phase, const Observed& observed);

// The reason in a sentence, with what was seen.
std::string explain(const Step& step, const Observed& observed);

}  // namespace godwit::controllers::migration
