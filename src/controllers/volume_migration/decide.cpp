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

// Before it has moved there is nothing to go back from: then it does not go.
bool rollsBackEarly(const Observed& o) {
  return o.rollBack && o.migration && !moved(o) && o.wayBack == kinds::WayBackPhase::Unset;
}
bool wentBack(const Observed& o) { return o.wayBack == kinds::WayBackPhase::Returned; }
bool wayBackClosed(const Observed& o) { return o.wayBack == kinds::WayBackPhase::Closed; }
bool keptInSync(const Observed& o) { return o.wayBack != kinds::WayBackPhase::Unset && !kinds::isFinal(o.wayBack); }

using Row = PhaseRow<Phase, Observed>;

using enum kinds::VolumeMigrationPhase;

// Rows of one phase are tried from the top; the first that holds wins. Where the instance stands
// counts for more than what its migration says: that object may be deleted, the instance tells the truth. What is on
// record of a way back comes first: by then the guest had moved.
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

    {Running, wentBack, Failed, "RolledBack"},
    {Running, wayBackClosed, Succeeded, "Completed"},
    {Running, keptInSync, Running, "KeptInSync"},
    {Running, movedAndFollowed, Succeeded, "Completed"},
    {Running, moved, Running, "UpdatingMachine"},
    {Running, migrationFailed, Failed, "MigrationFailed"},
    {Running, migrationGone, Failed, "MigrationDeleted"},
    {Running, nobodyKnows, Unknown, "NodeUnreachable"},
    {Running, always<Observed>, Running, "Moving"},

    {Unknown, wentBack, Failed, "RolledBack"},
    {Unknown, wayBackClosed, Succeeded, "Completed"},
    {Unknown, keptInSync, Running, "KeptInSync"},
    {Unknown, movedAndFollowed, Succeeded, "Completed"},
    {Unknown, migrationFailed, Failed, "MigrationFailed"},
    {Unknown, migrationGone, Failed, "MigrationDeleted"},
    {Unknown, nobodyKnows, Unknown, "NodeUnreachable"},
    {Unknown, always<Observed>, Running, "Moving"},
};

static_assert(isTotal(kTable, schema::names<Phase>, kinds::isFinal));

Duty dutyOnTheWay(const Observed& observed) {
  if (rollsBackEarly(observed) || (observed.migration && observed.beingDeleted)) return Duty::CancelMigration;
  return observed.migration && observed.migration->optionsDiffer ? Duty::TellOptions : Duty::Rest;
}

}  // namespace

Step decide(const Observed& observed) { return stepFrom<Step>(kTable, observed.phase, observed.reason, observed); }

Duty dutyOf(Phase phase, const Observed& observed) {
  switch (phase) {
    case Unset:
    case Pending:
      return Duty::Rest;
    case Running:
    case Unknown:
      return dutyOnTheWay(observed);
    case Scheduling:
      if (observed.migration) return dutyOnTheWay(observed);
      return observed.beingDeleted ? Duty::Rest : Duty::CreateMigration;
    case Succeeded:
      return Duty::ReclaimSources;
    case Failed:
      return Duty::RemoveDestinations;
  }
  __builtin_unreachable();
}

}  // namespace godwit::controllers::volume_migration
