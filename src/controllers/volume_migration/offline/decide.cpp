#include "controllers/volume_migration/offline/decide.hpp"

#include "base/phase_table.hpp"
#include "controllers/failures.hpp"

namespace godwit::controllers::volume_migration::offline {
namespace {

// Once that all is copied is on record, pods may go.
bool isCopied(const Observed& o) { return o.copies.done || o.reason == kUpdatingMachine; }

bool refused(const Observed& o) { return o.rejected; }
bool valid(const Observed& o) { return o.allValid; }
bool cancelled(const Observed& o) { return o.beingDeleted; }
bool copied(const Observed& o) { return isCopied(o); }
bool copiedAndFollowed(const Observed& o) { return isCopied(o) && o.machineFollowed; }
bool guestWasFirst(const Observed& o) { return o.copies.sourceInUse; }
bool hopeless(const Observed& o) { return o.copies.hopeless; }
bool timeToTryAgain(const Observed& o) { return o.copies.failed && o.copies.failedFor >= waitAfter(o); }
bool failed(const Observed& o) { return o.copies.failed; }
bool begun(const Observed& o) { return o.copies.begun; }

using Row = PhaseRow<Phase, Observed>;

using enum kinds::VolumeMigrationPhase;

// Rows of one phase are tried from the top; the first that holds wins. From Scheduling to the end no guest starts on
// the claims; one that had a source before gets it back, and the copies begin anew when it has stopped.
constexpr Row kTable[] = {
    {Unset, cancelled, Failed, "Cancelled"},
    {Unset, refused, Failed, "Rejected"},
    {Unset, valid, Scheduling, "Validated"},
    {Unset, always<Observed>, Pending, "WaitingForVolumes"},

    {Pending, cancelled, Failed, "Cancelled"},
    {Pending, refused, Failed, "Rejected"},
    {Pending, valid, Scheduling, "Validated"},
    {Pending, always<Observed>, Pending, "WaitingForVolumes"},

    {Scheduling, cancelled, Failed, "Cancelled"},
    {Scheduling, copied, Running, "Copying"},
    {Scheduling, guestWasFirst, Pending, "SourceInUse"},
    {Scheduling, hopeless, Failed, "CopyFailed"},
    {Scheduling, timeToTryAgain, Scheduling, kTryingAgain},
    {Scheduling, failed, Scheduling, "WaitingToTryAgain"},
    {Scheduling, begun, Running, "Copying"},
    {Scheduling, always<Observed>, Scheduling, "WaitingForNode"},

    {Running, copiedAndFollowed, Succeeded, "Completed"},
    {Running, cancelled, Failed, "Cancelled"},
    {Running, copied, Running, kUpdatingMachine},
    {Running, guestWasFirst, Pending, "SourceInUse"},
    {Running, hopeless, Failed, "CopyFailed"},
    {Running, timeToTryAgain, Scheduling, kTryingAgain},
    {Running, failed, Running, "WaitingToTryAgain"},
    {Running, always<Observed>, Running, "Copying"},

    {Unknown, always<Observed>, Running, "Copying"},
};

static_assert(isTotal(kTable, schema::names<Phase>, kinds::isFinal));

}  // namespace

Step decide(const Observed& observed) { return stepFrom<Step>(kTable, observed.phase, observed.reason, observed); }

Duty dutyOf(const Step& step, const Observed& observed) {
  switch (step.phase) {
    case Unset:
    case Unknown:
      return Duty::Rest;
    case Pending:
      return observed.attempt > 0 ? Duty::RemoveCopies : Duty::Rest;
    case Scheduling:
    case Running:
      if (step.reason == kUpdatingMachine)
        return observed.reason == kUpdatingMachine ? Duty::UpdateMachine : Duty::Rest;
      return observed.copies.made ? Duty::Rest : Duty::MakeCopies;
    case Succeeded:
      return Duty::Conclude;
    case Failed:
      return Duty::ClearAway;
  }
  __builtin_unreachable();
}

Duration waitAfter(const Observed& observed) { return patience(static_cast<int>(observed.attempt)); }

}  // namespace godwit::controllers::volume_migration::offline
