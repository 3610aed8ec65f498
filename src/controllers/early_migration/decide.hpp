#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinds/early_migration.hpp"
#include "kinds/migration.hpp"

// kubevirt.io/v1alpha1 Migration is a front door: one VirtualMachineInstanceMigration does the work, and what becomes
// of that one is told here in the older words. Deleting the one deletes the other, which cancels the move.
namespace godwit::controllers::early_migration {

using Phase = kinds::EarlyMigrationPhase;

struct Observed {
  struct Migration {
    kinds::MigrationPhase phase = kinds::MigrationPhase::Unset;
    std::string reason = {};
    std::string message = {};
  };

  Phase phase = Phase::Unset;
  std::string reason;  // on record
  bool beingDeleted = false;
  std::optional<Migration> migration;
};

struct Step {
  Phase phase = Phase::Unset;
  std::string_view reason;

  bool operator==(const Step&) const = default;
};

enum class Duty { Rest, CreateMigration };

Step decide(const Observed& observed);
Duty dutyOf(Phase phase, const Observed& observed);

}  // namespace godwit::controllers::early_migration
