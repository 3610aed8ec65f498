#include "controllers/volume_migration/way_back.hpp"

#include "base/phase_table.hpp"

namespace godwit::controllers::volume_migration::way_back {
namespace {

bool wanted(const Observed& o) { return o.wanted; }
bool gone(const Observed& o) { return !o.migration; }
bool goneWithoutGuest(const Observed& o) { return gone(o) && o.stayed; }
bool failed(const Observed& o) { return o.migration && o.migration->failed; }
bool succeeded(const Observed& o) { return o.migration && o.migration->succeeded; }
bool inSync(const Observed& o) { return o.migration && o.migration->inSync; }
bool rollBack(const Observed& o) { return o.rollBack && o.migration; }
bool guestIsToGo(const Observed& o) { return o.guestIsToGo; }
bool timeIsUp(const Observed& o) { return o.timeIsUp; }
bool returned(const Observed& o) { return o.returned || succeeded(o); }

using Row = PhaseRow<Phase, Observed>;

using enum kinds::WayBackPhase;

// Rows of one phase are tried from the top; the first that holds wins. Once the guest has been told to go back there is
// no closing any more: the mover may have switched over. Whoever asks in time is not late because the time is up.
constexpr Row kTable[] = {
    {Unset, wanted, Copying, "CopyingBack"},
    {Unset, always<Observed>, Unset, ""},

    {Copying, failed, Closed, "CopyFailed"},
    {Copying, succeeded, Returning, "SwitchedOver"},
    {Copying, rollBack, Returning, "RollBackAskedFor"},
    {Copying, guestIsToGo, Closing, "GuestIsToGo"},
    {Copying, inSync, Open, "InSync"},
    {Copying, always<Observed>, Copying, "CopyingBack"},

    {Open, failed, Closed, "CopyLost"},
    {Open, succeeded, Returning, "SwitchedOver"},
    {Open, gone, Closed, "MigrationDeleted"},
    {Open, rollBack, Returning, "RollBackAskedFor"},
    {Open, guestIsToGo, Closing, "GuestIsToGo"},
    {Open, timeIsUp, Closing, "TimeIsUp"},
    {Open, always<Observed>, Open, "InSync"},

    {Returning, returned, Returned, "RolledBack"},
    {Returning, failed, Closed, "ReturnFailed"},
    {Returning, goneWithoutGuest, Closed, "MigrationDeleted"},
    {Returning, always<Observed>, Returning, "RollBackAskedFor"},

    {Closing, failed, Closed, ""},
    {Closing, succeeded, Returning, "SwitchedOver"},
    {Closing, gone, Closed, ""},
    {Closing, always<Observed>, Closing, ""},
};

constexpr bool isEnd(Phase phase) { return kinds::isFinal(phase); }

static_assert(isTotal(kTable, schema::names<Phase>, isEnd));

}  // namespace

Step decide(const Observed& observed) { return stepFrom<Step>(kTable, observed.phase, observed.reason, observed); }

Duty dutyOf(Phase phase) {
  switch (phase) {
    case Copying:
    case Open:
      return Duty::Keep;
    case Returning:
      return Duty::Release;
    case Closing:
      return Duty::Remove;
    case Unset:
    case Returned:
    case Closed:
      return Duty::Rest;
  }
  __builtin_unreachable();
}

}  // namespace godwit::controllers::volume_migration::way_back
