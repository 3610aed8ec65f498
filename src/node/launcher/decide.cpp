#include "node/launcher/decide.hpp"

#include "base/phase_table.hpp"
#include "kinds/calling_off.hpp"

namespace godwit::node::launcher {
namespace {

namespace words = kinds::words;

using PodPhase = Observed::PodPhase;

bool hypervisorSilent(const Observed& o) { return !o.domainKnown; }
bool orphanArrived(const Observed& o) { return o.orphaned && o.phase != PodPhase::Ended && o.domainRuns; }
bool orphanWaits(const Observed& o) { return o.orphaned && o.phase != PodPhase::Ended && o.domainHere; }
bool orphanMissing(const Observed& o) { return o.orphaned && o.phase != PodPhase::Ended; }
bool leavingWithoutGuest(const Observed& o) { return o.beingDeleted && !o.domainHere; }
bool leavingAfterTakeOver(const Observed& o) { return o.beingDeleted && o.anotherPodIsActive; }
bool leavingInAMove(const Observed& o) { return o.beingDeleted && o.moving; }
bool leaving(const Observed& o) { return o.beingDeleted; }
bool ended(const Observed& o) { return o.phase == PodPhase::Ended; }
bool waitsForVolumes(const Observed& o) {
  return o.phase == PodPhase::Pending && !o.volumesReady && (o.isTarget || o.toBeStarted);
}
bool targetToPrepare(const Observed& o) { return o.phase == PodPhase::Pending && o.isTarget; }
bool startedUnrecorded(const Observed& o) { return o.phase == PodPhase::Pending && o.active && o.domainHere; }
bool toBeStarted(const Observed& o) { return o.phase == PodPhase::Pending && o.toBeStarted; }
bool guestGone(const Observed& o) { return o.phase == PodPhase::Running && o.active && !o.moving && !o.domainHere; }

// Tried from the top; the first that holds wins. A guest is ended, and a pod let go of, only when the API server
// has been asked and nothing of a move is left to decide where the guest is: it may be on its way to this very pod.
// A copy whose source has died goes on only if it runs already: one that stands still may be older than the disks.
constexpr Rule<Observed, Step> kTable[] = {
    {hypervisorSilent, {"", "HypervisorUnreachable", Duty::Rest}},
    {orphanArrived, {"Running", words::kGuestArrived, Duty::Rest}},
    {orphanWaits, {"", "SourceDead", Duty::DestroyGuest}},
    {orphanMissing, {"Failed", "GuestNeverArrived", Duty::Rest}},
    {leavingInAMove, {"", "WaitingForMover", Duty::Rest}},
    {leavingWithoutGuest, {"", "Released", Duty::Release}},
    {leavingAfterTakeOver, {"", "TakenOver", Duty::Release}},
    {leaving, {"", "Stopping", Duty::DestroyGuest}},
    {ended, {"", "", Duty::Rest}},
    {startedUnrecorded, {"Running", "GuestStarted", Duty::Rest}},
    {waitsForVolumes, {"Pending", "WaitingForDataVolume", Duty::Rest}},
    {targetToPrepare, {"", "Preparing", Duty::PrepareVolumes}},
    {toBeStarted, {"", "Starting", Duty::StartGuest}},
    {guestGone, {"Failed", "GuestGone", Duty::Rest}},
    {always<Observed>, {"", "", Duty::Rest}},
};

}  // namespace

Step decide(const Observed& observed) { return firstThatHolds(kTable, observed); }

}  // namespace godwit::node::launcher
