#include "node/launcher/decide.hpp"

#include "base/phase_table.hpp"
#include "kinds/calling_off.hpp"

namespace godwit::node::launcher {
namespace {

namespace words = kinds::words;

using PodPhase = Observed::PodPhase;

bool hypervisorSilent(const Observed& o) { return !o.domainKnown; }
bool orphanArrived(const Observed& o) {
  return o.orphaned && o.phase != PodPhase::Ended && (o.domainRuns || o.domainRan);
}
bool orphanWaits(const Observed& o) { return o.orphaned && o.phase != PodPhase::Ended && o.domainHere; }
bool orphanMissing(const Observed& o) { return o.orphaned && o.phase != PodPhase::Ended; }
bool leavingWithoutGuest(const Observed& o) { return o.beingDeleted && !o.domainHere; }
bool leavingAfterTakeOver(const Observed& o) { return o.beingDeleted && o.anotherPodIsActive; }
bool leavingInAMove(const Observed& o) { return o.beingDeleted && o.moving; }
bool leavingInPeace(const Observed& o) { return o.beingDeleted && o.graceLeft && !o.standsStill; }
bool leaving(const Observed& o) { return o.beingDeleted; }
bool ended(const Observed& o) { return o.phase == PodPhase::Ended; }
bool waitsForVolumes(const Observed& o) {
  return o.phase == PodPhase::Pending && !o.volumesReady && (o.isTarget || o.toBeStarted);
}
bool targetToPrepare(const Observed& o) { return o.phase == PodPhase::Pending && o.isTarget; }
bool startedUnrecorded(const Observed& o) { return o.phase == PodPhase::Pending && o.active && o.domainHere; }
bool toBeStarted(const Observed& o) { return o.phase == PodPhase::Pending && o.toBeStarted; }
bool ownsGuest(const Observed& o) { return o.phase == PodPhase::Running && o.active && !o.moving; }
bool guestPoweredOff(const Observed& o) { return ownsGuest(o) && !o.domainHere && o.poweredOff; }
bool guestMissed(const Observed& o) { return ownsGuest(o) && !o.domainHere && !o.missedBefore; }
bool guestGone(const Observed& o) { return ownsGuest(o) && !o.domainHere; }
bool guestFound(const Observed& o) { return ownsGuest(o) && o.domainHere && o.missedBefore; }
bool toPause(const Observed& o) { return ownsGuest(o) && o.toBePaused && !o.standsStill; }
bool toResume(const Observed& o) { return ownsGuest(o) && !o.toBePaused && o.standsStill && o.mayHaveBeenPaused; }

// Tried from the top; the first that holds wins. A guest is ended, and a pod let go of, only when the API server
// has been asked and nothing of a move is left to decide where the guest is: it may be on its way to this very pod.
// A copy whose source has died goes on only if it runs already: one that stands still may be older than the disks.
// One that ran here has written here, so this is where it is, even if it has ended.
// How a guest ended may be told a moment after it is gone; so one that is missed is looked for once more.
constexpr Rule<Observed, Step> kTable[] = {
    {hypervisorSilent, {"", "HypervisorUnreachable", Duty::Rest}},
    {orphanArrived, {"Running", words::kGuestArrived, Duty::Rest}},
    {orphanWaits, {"", "SourceDead", Duty::DestroyGuest}},
    {orphanMissing, {"Failed", "GuestNeverArrived", Duty::Rest}},
    {leavingInAMove, {"", "WaitingForMover", Duty::Rest}},
    {leavingWithoutGuest, {"", "Released", Duty::Release}},
    {leavingAfterTakeOver, {"", "TakenOver", Duty::Release}},
    {leavingInPeace, {"", "ShuttingDown", Duty::ShutDownGuest}},
    {leaving, {"", "Stopping", Duty::DestroyGuest}},
    {ended, {"", "", Duty::Rest}},
    {startedUnrecorded, {"Running", "GuestStarted", Duty::Rest}},
    {waitsForVolumes, {"Pending", "WaitingForVolumes", Duty::Rest}},
    {targetToPrepare, {"", "Preparing", Duty::PrepareVolumes}},
    {toBeStarted, {"", "Starting", Duty::StartGuest}},
    {guestPoweredOff, {"Succeeded", "GuestPoweredOff", Duty::Rest}},
    {guestMissed, {"Running", kGuestMissed, Duty::Rest}},
    {guestGone, {"Failed", "GuestGone", Duty::Rest}},
    {guestFound, {"Running", "GuestStarted", Duty::Rest}},
    {toPause, {"", "Pausing", Duty::PauseGuest}},
    {toResume, {"", "Resuming", Duty::ResumeGuest}},
    {always<Observed>, {"", "", Duty::Rest}},
};

}  // namespace

Step decide(const Observed& observed) { return firstThatHolds(kTable, observed); }

}  // namespace godwit::node::launcher
