#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinds/volume_migration.hpp"

// A VolumeMigration has its volumes judged, has a migration made, and follows it.
namespace godwit::controllers::volume_migration {

using Phase = kinds::VolumeMigrationPhase;

struct Observed {
  struct Migration {
    bool begun = false;  // past Pending
    bool succeeded = false;
    bool failed = false;
    bool outcomeUnknown = false;
    bool optionsDiffer = false;  // from those that are wished for, while it may still heed them
    std::string message = {};
  };

  Phase phase = Phase::Unset;
  std::string reason;  // on record
  bool beingDeleted = false;
  bool rejected = false;
  bool allValid = false;
  std::optional<Migration> migration;
  bool instanceMoved = false;        // the instance uses the destinations
  bool instanceUnreachable = false;  // its node is
  bool machineFollowed = true;       // the VM's spec, where there is a VM, names no source any more
  bool rollBack = false;             // is asked for
  kinds::WayBackPhase wayBack = kinds::WayBackPhase::Unset;
};

struct Step {
  Phase phase = Phase::Unset;
  std::string_view reason;

  bool operator==(const Step&) const = default;
};

enum class Duty { Rest, CreateMigration, CancelMigration, TellOptions, ReclaimSources, RemoveDestinations };

Step decide(const Observed& observed);
// What must be made true while the object stands in `phase`. Safe to repeat.
Duty dutyOf(Phase phase, const Observed& observed);

}  // namespace godwit::controllers::volume_migration
