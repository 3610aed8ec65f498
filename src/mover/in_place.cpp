#include <algorithm>

#include "base/phase_table.hpp"
#include "mover/observed.hpp"

namespace godwit::mover::in_place {
namespace {

bool any(const Observed& o, DiskPlace place) {
  return std::find(o.disks.begin(), o.disks.end(), place) != o.disks.end();
}
bool all(const Observed& o, DiskPlace place) {
  return std::all_of(o.disks.begin(), o.disks.end(), [&](DiskPlace disk) { return disk == place; });
}

bool cancelled(const Observed& o) { return o.cancelRequested; }
bool guestUnknown(const Observed& o) { return o.source == Copy::Unknown; }
bool guestGone(const Observed& o) { return o.source == Copy::Absent; }
bool allAtDestination(const Observed& o) { return all(o, DiskPlace::AtDestination); }
bool someAtDestination(const Observed& o) { return any(o, DiskPlace::AtDestination); }
bool allReady(const Observed& o) { return all(o, DiskPlace::Ready); }
bool allAtSource(const Observed& o) { return all(o, DiskPlace::AtSource); }
bool comesNoNearer(const Observed& o) { return o.lapse == Lapse::NoProgress; }
bool mirrorLost(const Observed& o) { return o.attempted && any(o, DiskPlace::AtSource); }
bool readyMirrorLost(const Observed& o) { return any(o, DiskPlace::AtSource); }
bool readyAndToBeVerified(const Observed& o) { return allReady(o) && o.agreement != Agreement::Unasked; }
bool readyAndHeld(const Observed& o) { return allReady(o) && o.switchOverHeld; }
bool copiesDiffer(const Observed& o) { return o.agreement == Agreement::Different; }
bool cannotBeCompared(const Observed& o) { return o.agreement == Agreement::Impossible; }
bool verified(const Observed& o) { return allReady(o) && o.agreement == Agreement::Equal; }
bool verifiedAndHeld(const Observed& o) { return verified(o) && o.switchOverHeld; }
bool switchOverAskedFor(const Observed& o) { return allReady(o) && !o.switchOverHeld; }
bool doubtful(const Observed& o) { return allReady(o) && o.agreement == Agreement::Doubtful; }
bool unverified(const Observed& o) { return allReady(o) && o.agreement == Agreement::Pending; }
// Every disk is where it is to be, or could be.
bool allReadyOrThere(const Observed& o) { return !any(o, DiskPlace::AtSource) && !any(o, DiskPlace::Mirroring); }
bool restReadyAndStill(const Observed& o) {
  return allAtDestination(o) || (o.source == Copy::Paused && allReadyOrThere(o) && !o.copiesLag);
}
bool lostBeforeAnyMoved(const Observed& o) { return any(o, DiskPlace::AtSource) && !someAtDestination(o); }
bool apart(const Observed& o) { return someAtDestination(o) && !allReadyOrThere(o); }
bool isStill(const Observed& o) { return o.source == Copy::Paused && allReady(o) && !o.copiesLag; }
bool equal(const Observed& o) { return isStill(o) && o.agreement != Agreement::Doubtful; }
bool heldTooLong(const Observed& o) { return o.heldTooLong; }
// Whoever made it stand still lets it go on; whether it stands still for somebody else is not to be changed.
bool isHeld(const Observed& o) { return o.record.holdsGuest && o.source == Copy::Paused; }
bool arrivedAndHeld(const Observed& o) { return allAtDestination(o) && isHeld(o); }

using Row = PhaseRow<Stage, Observed>;

using enum Stage;

// Rows of one stage are tried from the top; the first that holds wins. Before the first pivot the guest stands still
// until all copies are equal, and it goes on after the last: all new, never a mixture. A guest that dies in the middle
// of it has every write on the destinations; one that dies before it has them where it was. Only a copy that fails
// between two pivots makes it run on a mixture, until that copy is made anew.
constexpr Row kTable[] = {
    {Copying, guestUnknown, Copying, "SourceUnreachable"},
    {Copying, guestGone, Lost, "GuestLost"},
    {Copying, someAtDestination, Mending, "AlreadySwitching"},
    {Copying, cancelled, RollingBack, "Cancelled"},
    {Copying, mirrorLost, RollingBack, "CopyFailed"},
    {Copying, readyAndToBeVerified, Verifying, "DisksInSync"},
    {Copying, readyAndHeld, InSync, "DisksInSync"},
    {Copying, allReady, Holding, "DisksInSync"},
    {Copying, comesNoNearer, RollingBack, "NoProgress"},
    {Copying, always<Observed>, Copying, "Copying"},

    {Verifying, guestUnknown, Verifying, "SourceUnreachable"},
    {Verifying, guestGone, Lost, "GuestLost"},
    {Verifying, someAtDestination, Mending, "AlreadySwitching"},
    {Verifying, cancelled, RollingBack, "Cancelled"},
    {Verifying, readyMirrorLost, RollingBack, "CopyFailed"},
    {Verifying, copiesDiffer, RollingBack, "CopiesDiffer"},
    {Verifying, cannotBeCompared, RollingBack, "CannotVerify"},
    {Verifying, doubtful, Holding, "Doubtful"},
    {Verifying, verifiedAndHeld, InSync, "Verified"},
    {Verifying, verified, Holding, "Verified"},
    {Verifying, always<Observed>, Verifying, "Verifying"},

    {InSync, guestUnknown, InSync, "SourceUnreachable"},
    {InSync, guestGone, Lost, "GuestLost"},
    {InSync, someAtDestination, Mending, "AlreadySwitching"},
    {InSync, cancelled, RollingBack, "Cancelled"},
    {InSync, readyMirrorLost, RollingBack, "CopyFailed"},
    {InSync, switchOverAskedFor, Holding, "SwitchOverAskedFor"},
    {InSync, always<Observed>, InSync, "InSync"},

    {Holding, guestUnknown, Holding, "SourceUnreachable"},
    {Holding, guestGone, Lost, "GuestLost"},
    {Holding, someAtDestination, Mending, "AlreadySwitching"},
    {Holding, cancelled, RollingBack, "Cancelled"},
    {Holding, readyMirrorLost, RollingBack, "CopyFailed"},
    {Holding, copiesDiffer, RollingBack, "CopiesDiffer"},
    {Holding, cannotBeCompared, RollingBack, "CannotVerify"},
    {Holding, unverified, Verifying, "Verifying"},
    {Holding, equal, SwitchingOver, "DisksEqual"},
    {Holding, heldTooLong, RollingBack, "NoProgress"},
    {Holding, always<Observed>, Holding, "Holding"},

    {SwitchingOver, guestUnknown, SwitchingOver, "SourceUnreachable"},
    {SwitchingOver, guestGone, Moved, "GuestLostOnTheWay"},
    {SwitchingOver, arrivedAndHeld, SwitchingOver, "LettingGo"},
    {SwitchingOver, allAtDestination, Moved, "Completed"},
    {SwitchingOver, lostBeforeAnyMoved, RollingBack, "CopyFailed"},
    {SwitchingOver, apart, Mending, "CopyFailed"},
    {SwitchingOver, always<Observed>, SwitchingOver, "SwitchingOver"},

    {Mending, guestUnknown, Mending, "SourceUnreachable"},
    {Mending, guestGone, Lost, "DisksApart"},
    {Mending, restReadyAndStill, SwitchingOver, "DisksEqual"},
    {Mending, always<Observed>, Mending, "Mending"},

    {RollingBack, guestUnknown, RollingBack, "SourceUnreachable"},
    {RollingBack, guestGone, Lost, "GuestLost"},
    {RollingBack, someAtDestination, Mending, "AlreadySwitching"},
    {RollingBack, isHeld, RollingBack, ""},
    {RollingBack, allAtSource, NotMoved, ""},
    {RollingBack, always<Observed>, RollingBack, ""},
};

constexpr bool isNotOfDisks(Stage stage) { return isVerdict(stage) || stage == Recalling || stage == PostCopying; }

static_assert(isTotal(kTable, schema::names<Stage>, isNotOfDisks));

// What is copied once more takes its time, and the guest does not wait for it until the end.
Duty dutyWhileMending(const Observed& observed) {
  if (!allReadyOrThere(observed)) {
    if (isHeld(observed)) return Duty::ResumeSource;
    return any(observed, DiskPlace::AtSource) ? Duty::BeginCopies : Duty::Wait;
  }
  if (observed.source == Copy::Running) return Duty::Pause;
  return observed.heldTooLong ? Duty::CancelCopies : Duty::Wait;
}

}  // namespace

// What is being undone keeps the reason why.
Step decide(const Observed& observed) {
  return stepFrom<Step>(kTable, observed.record.stage, observed.record.reason, observed);
}

Duty dutyOf(Stage stage, const Observed& observed) {
  if (observed.source == Copy::Unknown) return Duty::Wait;
  switch (stage) {
    case Copying:
      return any(observed, DiskPlace::AtSource) ? Duty::BeginCopies : Duty::Wait;
    case Verifying:
      if (isHeld(observed)) return Duty::ResumeSource;
      return all(observed, DiskPlace::Ready) ? Duty::Compare : Duty::Wait;
    case Holding:
      if (observed.source == Copy::Running) return Duty::Pause;
      return doubtful(observed) && isStill(observed) ? Duty::Compare : Duty::Wait;
    case SwitchingOver:
      if (any(observed, DiskPlace::Ready)) return Duty::Pivot;
      return isHeld(observed) ? Duty::ResumeSource : Duty::Wait;
    case Mending:
      return dutyWhileMending(observed);
    case RollingBack:
      return isHeld(observed) ? Duty::ResumeSource : Duty::CancelCopies;
    case InSync:
    case Recalling:
    case PostCopying:
    case Moved:
    case NotMoved:
    case Lost:
      return Duty::Wait;
  }
  __builtin_unreachable();
}

}  // namespace godwit::mover::in_place
