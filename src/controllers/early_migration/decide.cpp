#include "controllers/early_migration/decide.hpp"

#include "base/phase_table.hpp"

namespace godwit::controllers::early_migration {
namespace {

using kinds::MigrationPhase;

bool succeeded(const Observed& o) { return o.migration && o.migration->phase == MigrationPhase::Succeeded; }
bool failed(const Observed& o) { return o.migration && o.migration->phase == MigrationPhase::Failed; }
bool begun(const Observed& o) { return o.migration && o.migration->phase > MigrationPhase::Pending; }
bool taken(const Observed& o) { return !o.migration; }

using enum kinds::EarlyMigrationPhase;

constexpr PhaseRow<Phase, Observed> kTable[] = {
    {Unset, always<Observed>, Pending, "Accepted"},

    {Pending, succeeded, Succeeded, "Completed"},
    {Pending, failed, Failed, "MigrationFailed"},
    {Pending, begun, Running, "Moving"},
    {Pending, always<Observed>, Pending, "WaitingForMigration"},

    {Running, succeeded, Succeeded, "Completed"},
    {Running, failed, Failed, "MigrationFailed"},
    {Running, taken, Failed, "MigrationDeleted"},
    {Running, always<Observed>, Running, "Moving"},
};

static_assert(isTotal(kTable, schema::names<Phase>, kinds::isFinal));

}  // namespace

Step decide(const Observed& observed) { return stepFrom<Step>(kTable, observed.phase, observed.reason, observed); }

Duty dutyOf(Phase phase, const Observed& observed) {
  return phase == Pending && !observed.migration && !observed.beingDeleted ? Duty::CreateMigration : Duty::Rest;
}

}  // namespace godwit::controllers::early_migration
