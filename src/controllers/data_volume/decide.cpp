#include "controllers/data_volume/decide.hpp"

#include <algorithm>

#include "base/phase_table.hpp"

namespace godwit::controllers::data_volume {
namespace {

using namespace std::chrono_literals;
using PodPhase = Observed::PodPhase;
using Source = Observed::Source;

// As Kubernetes starts containers again.
constexpr Duration kShortestWait = 10s;
constexpr Duration kLongestWait = 300s;

bool podIs(const Observed& o, PodPhase phase) { return o.pod && o.pod->phase == phase; }

bool beingDeletedUnderGuest(const Observed& o) { return o.beingDeleted && o.usedByGuest; }
bool beingDeleted(const Observed& o) { return o.beingDeleted; }
bool succeeded(const Observed& o) { return o.succeeded; }
bool invalid(const Observed& o) { return o.invalid; }
bool nothingToCopyYet(const Observed& o) { return !o.claimExists && !o.sourceReady; }
bool claimMissing(const Observed& o) { return !o.claimExists; }
bool claimOfOthers(const Observed& o) { return !o.claimIsOurs; }
bool claimLost(const Observed& o) { return o.claimLost; }
bool podSucceeded(const Observed& o) { return podIs(o, PodPhase::Succeeded); }
bool timeToBeginAgain(const Observed& o) { return podIs(o, PodPhase::Failed) && o.pod->endedFor >= waitAfter(o); }
bool uploadFailed(const Observed& o) { return o.source == Source::Upload && podIs(o, PodPhase::Failed); }
bool podFailed(const Observed& o) { return podIs(o, PodPhase::Failed); }
bool nobodyListens(const Observed& o) { return podIs(o, PodPhase::Running) && !o.pod->ready; }
bool uploadAwaited(const Observed& o) { return o.source == Source::Upload && podIs(o, PodPhase::Running); }
bool podRunning(const Observed& o) { return podIs(o, PodPhase::Running); }
bool podThere(const Observed& o) { return o.pod.has_value(); }
bool waitsForConsumer(const Observed& o) { return o.waitsForConsumer && !o.claimBound; }
bool blankAndBound(const Observed& o) { return o.source == Source::Blank && o.claimBound; }
bool blank(const Observed& o) { return o.source == Source::Blank; }
bool sourceNotReady(const Observed& o) { return !o.sourceReady; }

using enum kinds::DataVolumePhase;

// Tried from the top; the first that holds wins. The phases are those of a download where copies and
// uploads have names of their own for them.
constexpr Rule<Observed, Step> kTable[] = {
    {beingDeletedUnderGuest, {Unset, "WaitingForGuest", Duty::Rest}},
    {beingDeleted, {Unset, "Deleted", Duty::TearDown}},
    {succeeded, {Succeeded, "Completed", Duty::RemovePods}},
    {invalid, {Pending, "Invalid", Duty::Rest}},
    {nothingToCopyYet, {ImportScheduled, "WaitingForSource", Duty::Rest}},
    {claimMissing, {Pending, "CreatingClaim", Duty::CreateClaim}},
    {claimOfOthers, {Pending, "ClaimExists", Duty::Rest}},
    {claimLost, {Pending, "ClaimLost", Duty::Rest}},
    {podSucceeded, {Succeeded, "Completed", Duty::Rest}},
    {timeToBeginAgain, {ImportScheduled, "", Duty::BeginAgain}},
    {uploadFailed, {Failed, "", Duty::Rest}},
    {podFailed, {ImportScheduled, "", Duty::Rest}},
    {nobodyListens, {ImportScheduled, "WaitingForImporter", Duty::Rest}},
    {uploadAwaited, {UploadReady, "UploadReady", Duty::Rest}},
    {podRunning, {ImportInProgress, "Running", Duty::Rest}},
    {podThere, {ImportScheduled, "WaitingForNode", Duty::Rest}},
    {waitsForConsumer, {WaitForFirstConsumer, "WaitingForConsumer", Duty::Rest}},
    {blankAndBound, {Succeeded, "Completed", Duty::Rest}},
    {blank, {Pending, "WaitingForClaim", Duty::Rest}},
    {sourceNotReady, {ImportScheduled, "WaitingForSource", Duty::Rest}},
    {always<Observed>, {ImportScheduled, "CreatingPod", Duty::CreatePod}},
};

DataVolumePhase ofCopy(DataVolumePhase phase) {
  if (phase == ImportScheduled) return CloneScheduled;
  return phase == ImportInProgress ? CloneInProgress : phase;
}

DataVolumePhase ofUpload(DataVolumePhase phase) { return phase == ImportScheduled ? UploadScheduled : phase; }

}  // namespace

Step decide(const Observed& observed) {
  Step step = firstThatHolds(kTable, observed);
  if (observed.source == Source::Copy) step.phase = ofCopy(step.phase);
  if (observed.source == Source::Upload) step.phase = ofUpload(step.phase);
  return step;
}

Duration waitAfter(std::int64_t restarts) {
  return std::min(kLongestWait, kShortestWait * (1 << std::clamp<std::int64_t>(restarts, 0, 5)));
}

Duration waitAfter(const Observed& observed) {
  return observed.source == Source::Upload ? kShortestWait : waitAfter(observed.restarts);
}

}  // namespace godwit::controllers::data_volume
