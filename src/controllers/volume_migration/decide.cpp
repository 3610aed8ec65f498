#include "controllers/volume_migration/decide.hpp"

#include <algorithm>

namespace godwit::controllers::volume_migration {
namespace {

bool always(const Observed&) { return true; }
bool rejected(const Observed& o) { return o.rejected; }
bool allValid(const Observed& o) { return o.allValid; }
bool migrationFailed(const Observed& o) { return o.migration && o.migration->failed; }
bool migrationBegun(const Observed& o) { return o.migration && o.migration->begun; }
bool movedAndFollowed(const Observed& o) { return o.instanceMoved && o.machineFollowed; }
bool moved(const Observed& o) { return o.instanceMoved; }
bool migrationGone(const Observed& o) { return !o.migration; }

struct Row {
  Phase from;
  bool (*when)(const Observed&);
  Phase to;
  std::string_view reason;
};

using enum kinds::VolumeMigrationPhase;

// Rows of one phase are tried from the top; the first that holds wins. Where the instance stands
// counts for more than what its migration says: that object may be deleted, the instance tells the truth.
constexpr Row kTable[] = {
    {Unset, rejected, Failed, "Rejected"},
    {Unset, allValid, Scheduling, "Validated"},
    {Unset, always, Pending, "WaitingForInstance"},

    {Pending, rejected, Failed, "Rejected"},
    {Pending, allValid, Scheduling, "Validated"},
    {Pending, always, Pending, "WaitingForInstance"},

    {Scheduling, migrationFailed, Failed, "MigrationFailed"},
    {Scheduling, migrationBegun, Running, "MigrationBegun"},
    {Scheduling, always, Scheduling, "WaitingForMigration"},

    {Running, movedAndFollowed, Succeeded, "Completed"},
    {Running, moved, Running, "UpdatingMachine"},
    {Running, migrationFailed, Failed, "MigrationFailed"},
    {Running, migrationGone, Failed, "MigrationDeleted"},
    {Running, always, Running, "Moving"},

    {Unknown, always, Running, "Moving"},
};

// A live phase ends in an `always` row and a final phase has no row at all.
consteval bool tableIsTotal() {
  return std::all_of(schema::names<Phase>.begin(), schema::names<Phase>.end(), [](const auto& named) {
    const Row* last = nullptr;
    for (const Row& row : kTable)
      if (row.from == named.first) last = &row;
    return kinds::isFinal(named.first) ? last == nullptr : last && last->when == always;
  });
}
static_assert(tableIsTotal());

}  // namespace

Step decide(const Observed& observed) {
  for (const Row& row : kTable)
    if (row.from == observed.phase && row.when(observed)) return {row.to, row.reason};
  return {observed.phase, observed.reason};
}

Duty dutyOf(Phase phase, const Observed& observed) {
  switch (phase) {
    case Unset:
    case Pending:
    case Unknown:
    case Failed:
      return Duty::Rest;
    case Scheduling:
      return observed.migration || observed.beingDeleted ? Duty::Rest : Duty::CreateMigration;
    case Running:
      return observed.instanceMoved && !observed.machineFollowed ? Duty::UpdateMachine : Duty::Rest;
    case Succeeded:
      return Duty::ReclaimSources;
  }
  __builtin_unreachable();
}

}  // namespace godwit::controllers::volume_migration
