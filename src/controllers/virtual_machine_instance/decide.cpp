#include "controllers/virtual_machine_instance/decide.hpp"

#include "base/phase_table.hpp"
#include "kinds/pod.hpp"

namespace godwit::controllers::virtual_machine_instance {
namespace {

bool beingDeleted(const Observed& o) { return o.beingDeleted; }
bool podGone(const Observed& o) { return !o.pod; }
bool podFailed(const Observed& o) { return o.pod && o.pod->phase == kinds::pod_phase::kFailed; }
bool podLost(const Observed& o) { return o.pod && o.pod->lost; }
bool lostInAMove(const Observed& o) { return o.moving && (podGone(o) || podFailed(o)); }
bool podSucceeded(const Observed& o) { return o.pod && o.pod->phase == kinds::pod_phase::kSucceeded; }
bool podRunning(const Observed& o) { return o.pod && o.pod->phase == kinds::pod_phase::kRunning; }
bool podBound(const Observed& o) { return o.pod && !o.pod->node.empty(); }
bool volumesUnfilled(const Observed& o) { return o.volumesUnfilled; }
bool podUnschedulable(const Observed& o) { return o.pod && o.pod->unschedulable; }

using Row = PhaseRow<InstancePhase, Observed>;

using enum kinds::InstancePhase;

// Rows of one phase are tried from the top; the first that holds wins.
constexpr Row kTable[] = {
    {Unset, always<Observed>, Pending, "Accepted"},

    {Pending, beingDeleted, Failed, "Deleted"},
    {Pending, always<Observed>, Scheduling, "CreatingPod"},

    {Scheduling, podFailed, Failed, "PodFailed"},
    {Scheduling, podBound, Scheduled, "PodBound"},
    {Scheduling, beingDeleted, Failed, "Deleted"},
    {Scheduling, podUnschedulable, Scheduling, "Unschedulable"},
    {Scheduling, always<Observed>, Scheduling, "WaitingForNode"},

    {Scheduled, podGone, Failed, "PodGone"},
    {Scheduled, podLost, Failed, "NodeDead"},
    {Scheduled, podFailed, Failed, "LaunchFailed"},
    {Scheduled, podSucceeded, Succeeded, "GuestStopped"},
    {Scheduled, podRunning, Running, "GuestStarted"},
    {Scheduled, volumesUnfilled, Scheduled, kWaitingForDataVolume},
    {Scheduled, always<Observed>, Scheduled, "LaunchingGuest"},

    {Running, lostInAMove, Running, "WaitingForMove"},
    {Running, podGone, Failed, "PodGone"},
    {Running, podLost, Failed, "NodeDead"},
    {Running, podFailed, Failed, "GuestGone"},
    {Running, podSucceeded, Succeeded, "GuestStopped"},
    {Running, always<Observed>, Running, "GuestStarted"},
};

static_assert(isTotal(kTable, schema::names<InstancePhase>, kinds::isFinal));

}  // namespace

Step decide(const Observed& observed) { return stepFrom<Step>(kTable, observed.phase, observed.reason, observed); }

Duty dutyOf(InstancePhase phase, const Observed& observed) {
  if (observed.beingDeleted) return Duty::TearDown;
  switch (phase) {
    case Scheduling:
      return observed.pod ? Duty::Rest : Duty::CreatePod;
    case Unset:
    case Pending:
    case Scheduled:
    case Running:
    case Succeeded:
    case Failed:
      return Duty::Rest;
  }
  __builtin_unreachable();
}

}  // namespace godwit::controllers::virtual_machine_instance
