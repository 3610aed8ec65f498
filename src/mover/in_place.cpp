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

using Row = PhaseRow<Stage, Observed>;

using enum Stage;

// Rows of one stage are tried from the top; the first that holds wins. Both copies of a ready disk are
// equal until the pivot, so after a first pivot the others follow: all new, never a mixture. A guest that dies in the
// middle of it has every write on the destinations, and perhaps only there.
constexpr Row kTable[] = {
    {Copying, guestUnknown, Copying, "SourceUnreachable"},
    {Copying, guestGone, Lost, "GuestLost"},
    {Copying, someAtDestination, SwitchingOver, "AlreadySwitching"},
    {Copying, cancelled, RollingBack, "Cancelled"},
    {Copying, mirrorLost, RollingBack, "CopyFailed"},
    {Copying, readyAndToBeVerified, Verifying, "DisksInSync"},
    {Copying, readyAndHeld, InSync, "DisksInSync"},
    {Copying, allReady, SwitchingOver, "DisksInSync"},
    {Copying, comesNoNearer, RollingBack, "NoProgress"},
    {Copying, always<Observed>, Copying, "Copying"},

    {Verifying, guestUnknown, Verifying, "SourceUnreachable"},
    {Verifying, guestGone, Lost, "GuestLost"},
    {Verifying, someAtDestination, SwitchingOver, "AlreadySwitching"},
    {Verifying, cancelled, RollingBack, "Cancelled"},
    {Verifying, readyMirrorLost, RollingBack, "CopyFailed"},
    {Verifying, copiesDiffer, RollingBack, "CopiesDiffer"},
    {Verifying, cannotBeCompared, RollingBack, "CannotVerify"},
    {Verifying, verifiedAndHeld, InSync, "Verified"},
    {Verifying, verified, SwitchingOver, "Verified"},
    {Verifying, always<Observed>, Verifying, "Verifying"},

    {InSync, guestUnknown, InSync, "SourceUnreachable"},
    {InSync, guestGone, Lost, "GuestLost"},
    {InSync, someAtDestination, SwitchingOver, "AlreadySwitching"},
    {InSync, cancelled, RollingBack, "Cancelled"},
    {InSync, readyMirrorLost, RollingBack, "CopyFailed"},
    {InSync, switchOverAskedFor, SwitchingOver, "SwitchOverAskedFor"},
    {InSync, always<Observed>, InSync, "InSync"},

    {SwitchingOver, guestUnknown, SwitchingOver, "SourceUnreachable"},
    {SwitchingOver, guestGone, Moved, "GuestLostOnTheWay"},
    {SwitchingOver, allAtDestination, Moved, "Completed"},
    {SwitchingOver, allAtSource, RollingBack, "CopyFailed"},
    {SwitchingOver, always<Observed>, SwitchingOver, "SwitchingOver"},

    {RollingBack, guestUnknown, RollingBack, "SourceUnreachable"},
    {RollingBack, guestGone, Lost, "GuestLost"},
    {RollingBack, someAtDestination, SwitchingOver, "AlreadySwitching"},
    {RollingBack, allAtSource, NotMoved, ""},
    {RollingBack, always<Observed>, RollingBack, ""},
};

// No guest waits for its disks.
constexpr bool isNotOfDisks(Stage stage) {
  return isVerdict(stage) || stage == Holding || stage == Recalling || stage == PostCopying;
}

static_assert(isTotal(kTable, schema::names<Stage>, isNotOfDisks));

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
      return all(observed, DiskPlace::Ready) ? Duty::Compare : Duty::Wait;
    case SwitchingOver:
      if (any(observed, DiskPlace::Ready)) return Duty::Pivot;
      return any(observed, DiskPlace::AtSource) ? Duty::BeginCopies : Duty::Wait;
    case RollingBack:
      return Duty::CancelCopies;
    case InSync:
    case Holding:
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
