#include "controllers/virtual_machine/decide.hpp"

#include <algorithm>

#include "base/phase_table.hpp"

namespace godwit::controllers::virtual_machine {
namespace {

using namespace std::chrono_literals;
using kinds::InstancePhase;
using kinds::StateChangeRequest;
using Volumes = Observed::Volumes;

// An instance that has run this long did start.
constexpr Duration kStarted = 60s;
constexpr Duration kShortestWait = 1s;
constexpr Duration kLongestWait = 300s;

// Doubled with every failure; more doublings than these make it the longest anyway.
Duration waitAfter(std::int64_t failures) {
  return std::min(kLongestWait, kShortestWait * (1 << std::clamp<std::int64_t>(failures - 1, 0, 9)));
}

bool isStop(const StateChangeRequest& request) { return request.action == "Stop"; }
bool isStart(const StateChangeRequest& request) { return request.action == "Start"; }

bool startAsked(const Observed& o) { return std::any_of(o.requests.begin(), o.requests.end(), isStart); }
// A stop is meant for one instance, and not for the next.
bool concerns(const StateChangeRequest& request, const Observed& o) {
  return isStop(request) && o.instance && request.uid == o.instance->uid;
}
bool stopAsked(const Observed& o) {
  return std::any_of(o.requests.begin(), o.requests.end(), [&](const auto& request) { return concerns(request, o); });
}

bool runsOnlyOnce(const Observed& o) { return o.strategy == "Once" || o.strategy == "RerunOnFailure"; }
bool wantsInstance(const Observed& o) {
  if (o.strategy == "Always") return true;
  if (runsOnlyOnce(o) && o.strategyBefore != o.strategy) return true;
  return o.strategy != "Halted" && o.strategy != "Once" && startAsked(o);
}
// Whether the end of the instance, as it was, is the reason for another one.
bool rerunsAfterEnd(const Observed& o) {
  if (!o.instance) return false;
  if (o.strategy == "Always") return kinds::isFinal(o.instance->phase);
  return o.strategy == "RerunOnFailure" && o.instance->phase == InstancePhase::Failed;
}

// One that is being deleted was not asked to go on.
bool endedTooSoon(const Observed& o) {
  return rerunsAfterEnd(o) && !o.instance->beingDeleted && !stopAsked(o) && o.instance->ran < kStarted;
}

bool instanceHasRun(const Observed& o) {
  return o.instance->phase == InstancePhase::Running || kinds::isFinal(o.instance->phase);
}

bool beingDeleted(const Observed& o) { return o.beingDeleted; }
bool haltedAndAskedToStart(const Observed& o) { return !o.instance && o.strategy == "Halted" && startAsked(o); }
bool notWanted(const Observed& o) { return !o.instance && !wantsInstance(o); }
bool waitsToStart(const Observed& o) { return !o.instance && o.failure && o.failure->retryAfterTimestamp > o.now; }
bool dataMissing(const Observed& o) { return !o.instance && o.dataMissing; }
bool volumesBeingCopied(const Observed& o) { return !o.instance && o.volumes == Volumes::BeingCopied; }
bool dataVolumeFailed(const Observed& o) { return !o.instance && o.volumes == Volumes::DataVolumeFailed; }
bool dataVolumesNotReady(const Observed& o) { return !o.instance && o.volumes == Volumes::Provisioning; }
bool claimMissingAtStart(const Observed& o) { return !o.instance && o.volumes == Volumes::ClaimMissing; }
bool instanceMissing(const Observed& o) { return !o.instance; }
bool instanceLeaving(const Observed& o) { return o.instance->beingDeleted; }
// The next instance must find the data, so the machine follows its volumes first.
bool endedOnItsWay(const Observed& o) { return kinds::isFinal(o.instance->phase) && o.instance->volumesMoving; }
bool instanceLeftBehind(const Observed& o) { return o.instance->leftBehind && !instanceHasRun(o); }
bool instanceToBeStopped(const Observed& o) {
  const bool doneForGood = o.strategy == "RerunOnFailure" && o.instance->phase == InstancePhase::Succeeded;
  return o.strategy == "Halted" || doneForGood || stopAsked(o);
}
bool instanceEndedForAnother(const Observed& o) { return rerunsAfterEnd(o); }
bool instanceEnded(const Observed& o) { return kinds::isFinal(o.instance->phase); }
bool instanceRunning(const Observed& o) { return o.instance->phase == InstancePhase::Running; }
bool instanceMoving(const Observed& o) { return instanceRunning(o) && o.instance->moving; }
bool instancePaused(const Observed& o) { return instanceRunning(o) && o.instance->paused; }
bool placementChanged(const Observed& o) { return instanceRunning(o) && o.instance->mayGoElsewhere; }
bool instanceProvisioned(const Observed& o) { return o.instance->volumesUnfilled; }
bool claimMissing(const Observed& o) { return o.volumes == Volumes::ClaimMissing; }
bool claimUnbound(const Observed& o) { return o.volumes == Volumes::Unbound; }
bool unschedulable(const Observed& o) { return o.instance->unschedulable; }

// Tried from the top; the first that holds wins. Rows below instanceMissing find an instance.
constexpr Rule<Observed, Step> kTable[] = {
    {beingDeleted, {"Terminating", Duty::Rest}},
    {haltedAndAskedToStart, {"Starting", Duty::TurnOn}},
    {notWanted, {"Stopped", Duty::Rest}},
    {waitsToStart, {"CrashLoopBackOff", Duty::Rest}},
    {dataMissing, {"Stopped", Duty::Rest}},
    {volumesBeingCopied, {"Provisioning", Duty::Rest}},
    {dataVolumeFailed, {"DataVolumeError", Duty::Rest}},
    {dataVolumesNotReady, {"Provisioning", Duty::MakeDataVolumes}},
    {claimMissingAtStart, {"ErrorPvcNotFound", Duty::CreateInstance}},
    {instanceMissing, {"Starting", Duty::CreateInstance}},
    {instanceLeaving, {"Stopping", Duty::Rest}},
    {instanceLeftBehind, {"Starting", Duty::DeleteInstance}},
    {endedOnItsWay, {"Stopping", Duty::Rest}},
    {instanceToBeStopped, {"Stopping", Duty::DeleteInstance}},
    {endedTooSoon, {"CrashLoopBackOff", Duty::DeleteInstance}},
    {instanceEndedForAnother, {"Starting", Duty::DeleteInstance}},
    {instanceEnded, {"Stopped", Duty::Rest}},
    {instanceMoving, {"Migrating", Duty::Rest}},
    {instancePaused, {"Paused", Duty::Rest}},
    {placementChanged, {"Running", Duty::PassOnPlacement}},
    {instanceRunning, {"Running", Duty::Rest}},
    {instanceProvisioned, {"Provisioning", Duty::Rest}},
    {claimMissing, {"ErrorPvcNotFound", Duty::Rest}},
    {unschedulable, {"ErrorUnschedulable", Duty::Rest}},
    {claimUnbound, {"WaitingForVolumeBinding", Duty::Rest}},
    {always<Observed>, {"Starting", Duty::Rest}},
};

}  // namespace

Step decide(const Observed& observed) { return firstThatHolds(kTable, observed); }

std::optional<kinds::StartFailure> failureAfter(const Observed& observed) {
  const bool goesOn = observed.instance ? observed.strategy == "Always" || observed.strategy == "RerunOnFailure"
                                        : wantsInstance(observed);
  if (!goesOn || (observed.instance && observed.instance->ran >= kStarted)) return std::nullopt;
  const bool known =
      observed.failure && observed.instance && observed.failure->lastFailedVMIUID == observed.instance->uid;
  if (!endedTooSoon(observed) || known) return observed.failure;
  const std::int64_t failures = (observed.failure ? observed.failure->consecutiveFailCount : 0) + 1;
  return kinds::StartFailure{failures, observed.instance->uid, observed.now + waitAfter(failures)};
}

std::vector<StateChangeRequest> requestsAfter(const Observed& observed) {
  const bool rerun = observed.strategy == "RerunOnFailure" && rerunsAfterEnd(observed);
  const bool started = observed.instance && !observed.instance->beingDeleted && !stopAsked(observed) && !rerun;
  std::vector<StateChangeRequest> left;
  for (const StateChangeRequest& request : observed.requests)
    if (isStop(request) ? concerns(request, observed) : !started) left.push_back(request);
  const bool asked = std::any_of(left.begin(), left.end(), isStart);
  const bool byItself = rerun && !observed.instance->beingDeleted && !stopAsked(observed);
  if (byItself && !asked) left.push_back({.action = "Start", .data = {}, .uid = ""});
  return left;
}

std::string strategyAfter(const Observed& observed) {
  return runsOnlyOnce(observed) && !observed.instance ? observed.strategyBefore : observed.strategy;
}

bool startsPaused(const std::vector<StateChangeRequest>& requests) {
  return std::any_of(requests.begin(), requests.end(), [](const StateChangeRequest& request) {
    const auto paused = request.data.find("paused");
    return isStart(request) && paused != request.data.end() && paused->second == "true";
  });
}

}  // namespace godwit::controllers::virtual_machine
