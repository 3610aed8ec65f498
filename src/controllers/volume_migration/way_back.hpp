#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinds/volume_migration.hpp"

// The way back to sources that are kept in sync: a migration of its own, which copies what is used to where it came
// from, and then waits until its switch-over is asked for.
namespace godwit::controllers::volume_migration::way_back {

using Phase = kinds::WayBackPhase;

struct Observed {
  struct Migration {
    bool inSync = false;
    bool succeeded = false;
    bool failed = false;
    std::string message = {};
  };

  Phase phase = Phase::Unset;
  std::string reason;     // on record
  bool wanted = false;    // the volumes have moved, and are to be kept in sync
  bool rollBack = false;  // is asked for
  bool timeIsUp = false;
  bool guestIsToGo = false;  // another migration waits for it
  bool returned = false;     // the guest uses the sources, and so does its VM
  bool stayed = false;       // the guest uses the destinations
  std::optional<Migration> migration;
};

struct Step {
  Phase phase = Phase::Unset;
  std::string_view reason;

  bool operator==(const Step&) const = default;
};

enum class Duty { Rest, Keep, Release, Remove };

Step decide(const Observed& observed);
// What must be made true of the migration while the way stands in `phase`. Safe to repeat.
Duty dutyOf(Phase phase);

}  // namespace godwit::controllers::volume_migration::way_back
