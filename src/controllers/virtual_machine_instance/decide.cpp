#include "controllers/virtual_machine_instance/decide.hpp"

#include <algorithm>

#include "kinds/pod.hpp"

namespace godwit::controllers::virtual_machine_instance {
namespace {

bool always(const Observed&) { return true; }
bool beingDeleted(const Observed& o) { return o.beingDeleted; }
bool podGone(const Observed& o) { return !o.pod; }
bool podFailed(const Observed& o) { return o.pod && o.pod->phase == kinds::pod_phase::kFailed; }
bool podSucceeded(const Observed& o) { return o.pod && o.pod->phase == kinds::pod_phase::kSucceeded; }
bool podRunning(const Observed& o) { return o.pod && o.pod->phase == kinds::pod_phase::kRunning; }
bool podBound(const Observed& o) { return o.pod && !o.pod->node.empty(); }
bool podUnschedulable(const Observed& o) { return o.pod && o.pod->unschedulable; }

struct Row {
  InstancePhase from;
  bool (*when)(const Observed&);
  InstancePhase to;
  std::string_view reason;
};

using enum kinds::InstancePhase;

// Rows of one phase are tried from the top; the first that holds wins.
constexpr Row kTable[] = {
    {Unset, always, Pending, "Accepted"},

    {Pending, beingDeleted, Failed, "Deleted"},
    {Pending, always, Scheduling, "CreatingPod"},

    {Scheduling, podFailed, Failed, "PodFailed"},
    {Scheduling, podBound, Scheduled, "PodBound"},
    {Scheduling, beingDeleted, Failed, "Deleted"},
    {Scheduling, podUnschedulable, Scheduling, "Unschedulable"},
    {Scheduling, always, Scheduling, "WaitingForNode"},

    {Scheduled, podGone, Failed, "PodGone"},
    {Scheduled, podFailed, Failed, "LaunchFailed"},
    {Scheduled, podRunning, Running, "GuestStarted"},
    {Scheduled, always, Scheduled, "LaunchingGuest"},

    {Running, podGone, Failed, "PodGone"},
    {Running, podFailed, Failed, "GuestGone"},
    {Running, podSucceeded, Succeeded, "GuestStopped"},
    {Running, always, Running, "GuestStarted"},
};

// A live phase ends in an `always` row and a final phase has no row at all.
consteval bool tableIsTotal() {
  return std::all_of(schema::names<InstancePhase>.begin(), schema::names<InstancePhase>.end(), [](const auto& named) {
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
