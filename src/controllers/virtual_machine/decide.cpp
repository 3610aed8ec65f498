#include "controllers/virtual_machine/decide.hpp"

#include <algorithm>

#include "base/phase_table.hpp"

namespace godwit::controllers::virtual_machine {
namespace {

using namespace std::chrono_literals;

// An instance that has run this long did start.
constexpr Duration kStarted = 60s;
constexpr Duration kShortestWait = 1s;
constexpr Duration kLongestWait = 300s;

// Doubled with every failure; more doublings than these make it the longest anyway.
Duration waitAfter(std::int64_t failures) {
  return std::min(kLongestWait, kShortestWait * (1 << std::clamp<std::int64_t>(failures - 1, 0, 9)));
}

// One that is being deleted was not asked to go on.
bool endedTooSoon(const Observed& o) {
  return o.instance && !o.instance->beingDeleted && kinds::isFinal(o.instance->phase) && o.instance->ran < kStarted;
}

bool beingDeleted(const Observed& o) { return o.beingDeleted; }
bool notWantedButThere(const Observed& o) { return !o.wanted && o.instance; }
bool notWanted(const Observed& o) { return !o.wanted; }
bool instanceMissing(const Observed& o) { return !o.instance; }
bool waitsToStart(const Observed& o) { return !o.instance && o.failure && o.failure->retryAfterTimestamp > o.now; }
bool instanceLeaving(const Observed& o) { return o.instance->beingDeleted; }
bool instanceEnded(const Observed& o) { return kinds::isFinal(o.instance->phase); }
// The next instance must find the data, so the machine follows its volumes first.
bool endedOnItsWay(const Observed& o) { return instanceEnded(o) && o.instance->volumesMoving; }
bool instanceMoving(const Observed& o) {
  return o.instance->phase == kinds::InstancePhase::Running && o.instance->moving;
}
bool instanceProvisioned(const Observed& o) { return o.instance->volumesUnfilled; }
bool instanceRunning(const Observed& o) { return o.instance->phase == kinds::InstancePhase::Running; }

// Tried from the top; the first that holds wins. Rows below instanceMissing find an instance.
constexpr Rule<Observed, Step> kTable[] = {
    {beingDeleted, {"Terminating", Duty::Rest}},
    {notWantedButThere, {"Stopping", Duty::DeleteInstance}},
    {notWanted, {"Stopped", Duty::Rest}},
    {waitsToStart, {"CrashLoopBackOff", Duty::Rest}},
    {instanceMissing, {"Starting", Duty::CreateInstance}},
    {instanceLeaving, {"Stopping", Duty::Rest}},
    {endedOnItsWay, {"Stopping", Duty::Rest}},
    {endedTooSoon, {"CrashLoopBackOff", Duty::DeleteInstance}},
    {instanceEnded, {"Starting", Duty::DeleteInstance}},
    {instanceMoving, {"Migrating", Duty::Rest}},
    {instanceRunning, {"Running", Duty::Rest}},
    {instanceProvisioned, {"Provisioning", Duty::Rest}},
    {always<Observed>, {"Starting", Duty::Rest}},
};

}  // namespace

Step decide(const Observed& observed) { return firstThatHolds(kTable, observed); }

std::optional<kinds::StartFailure> failureAfter(const Observed& observed) {
  if (!observed.wanted || (observed.instance && observed.instance->ran >= kStarted)) return std::nullopt;
  const bool known =
      observed.failure && observed.instance && observed.failure->lastFailedVMIUID == observed.instance->uid;
  if (!endedTooSoon(observed) || known) return observed.failure;
  const std::int64_t failures = (observed.failure ? observed.failure->consecutiveFailCount : 0) + 1;
  return kinds::StartFailure{failures, observed.instance->uid, observed.now + waitAfter(failures)};
}

}  // namespace godwit::controllers::virtual_machine
