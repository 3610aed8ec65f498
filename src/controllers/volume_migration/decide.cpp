#include "controllers/volume_migration/decide.hpp"

#include "base/phase_table.hpp"

namespace godwit::controllers::volume_migration {
namespace {

bool rejected(const Observed& o) { return o.rejected; }
bool allValid(const Observed& o) { return o.allValid; }
bool migrationFailed(const Observed& o) { return o.migration && o.migration->failed; }
bool migrationBegun(const Observed& o) { return o.migration && o.migration->begun; }
bool movedAndFollowed(const Observed& o) { return o.instanceMoved && o.machineFollowed; }
bool moved(const Observed& o) { return o.instanceMoved; }
bool migrationGone(const Observed& o) { return !o.migration; }
bool nobodyKnows(const Observed& o) { return o.instanceUnreachable || (o.migration && o.migration->outcomeUnknown); }

bool calledOff(const Observed& o) { return o.beingDeleted && !o.migration; }

using Row = PhaseRow<Phase, Observed>;

using enum kinds::VolumeMigrationPhase;

// Rows of one phase are tried from the top; the first that holds wins. Where the instance stands
// counts for more than what its migration says: that object may be deleted, the instance tells the truth.
constexpr Row kTable[] = {
    {Unset, rejected, Failed, "Rejected"},
    {Unset, allValid, Scheduling, "Validated"},
    {Unset, always<Observed>, Pending, "WaitingForInstance"},

    {Pending, rejected, Failed, "Rejected"},
    {Pending, allValid, Scheduling, "Validated"},
    {Pending, always<Observed>, Pending, "WaitingForInstance"},

    {Scheduling, moved, Running, "MigrationBegun"},
    {Scheduling, migrationFailed, Failed, "MigrationFailed"},
    {Scheduling, calledOff, Failed, "Cancelled"},
    {Scheduling, migrationBegun, Running, "MigrationBegun"},
    {Scheduling, always<Observed>, Scheduling, "WaitingForMigration"},

    {Running, movedAndFollowed, Succeeded, "Completed"},
    {Running, moved, Running, "UpdatingMachine"},
    {Running, migrationFailed, Failed, "MigrationFailed"},
    {Running, migrationGone, Failed, "MigrationDeleted"},
    {Running, nobodyKnows, Unknown, "NodeUnreachable"},
    {Running, always<Observed>, Running, "Moving"},

    {Unknown, movedAndFollowed, Succeeded, "Completed"},
    {Unknown, migrationFailed, Failed, "MigrationFailed"},
    {Unknown, migrationGone, Failed, "MigrationDeleted"},
    {Unknown, nobodyKnows, Unknown, "NodeUnreachable"},
    {Unknown, always<Observed>, Running, "Moving"},
};

static_assert(isTotal(kTable, schema::names<Phase>, kinds::isFinal));

}  // namespace

Step decide(const Observed& observed) { return stepFrom<Step>(kTable, observed.phase, observed.reason, observed); }

Duty dutyOf(Phase phase, const Observed& observed) {
  switch (phase) {
    case Unset:
    case Pending:
      return Duty::Rest;
    case Scheduling:
      if (!observed.migration && !observed.beingDeleted) return Duty::CreateMigration;
      [[fallthrough]];
    case Running:
    case Unknown:
      return observed.migration && observed.beingDeleted ? Duty::CallOff : Duty::Rest;
    case Succeeded:
      return Duty::ReclaimSources;
    case Failed:
      return Duty::RemoveDestinations;
  }
  __builtin_unreachable();
}

}  // namespace godwit::controllers::volume_migration
