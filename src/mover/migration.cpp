#include <algorithm>

#include "base/phase_table.hpp"
#include "mover/observed.hpp"

namespace godwit::mover::migration {
namespace {

bool cancelled(const Observed& o) { return o.cancelRequested && o.source == Copy::Running; }
bool targetDied(const Observed& o) { return o.targetDead && cancelled(o); }
// A guest that is held can still be given back, as long as its state is not known to have arrived.
bool cancelledWhileHeld(const Observed& o) {
  return o.cancelRequested && (o.source == Copy::Running || (o.target == Copy::InTransit && o.migrationUnderWay));
}
bool timeIsUp(const Observed& o) { return o.lapse == Lapse::CompletionTimeout && o.source == Copy::Running; }
bool timeIsUpAndItMayWait(const Observed& o) { return timeIsUp(o) && o.mayHold && o.migrationUnderWay; }
bool timeIsUpAndItMayGoAhead(const Observed& o) { return timeIsUp(o) && o.mayPostCopy && o.migrationUnderWay; }
bool cancelledInTime(const Observed& o) { return cancelled(o) && !o.goneAhead; }
bool leftBehind(const Observed& o) { return o.source == Copy::LeftBehind; }
bool recalled(const Observed& o) {
  return o.source == Copy::Running && o.target == Copy::Absent && !o.migrationUnderWay;
}
bool comesNoNearer(const Observed& o) { return o.lapse == Lapse::NoProgress && o.source == Copy::Running; }
bool comesNoNearerWhileHeld(const Observed& o) {
  return o.lapse == Lapse::NoProgress && o.target == Copy::InTransit && o.migrationUnderWay;
}
bool sourceUnknown(const Observed& o) { return o.source == Copy::Unknown; }
bool sourceRuns(const Observed& o) { return o.source == Copy::Running; }
bool sourceRunsAlone(const Observed& o) {
  return o.source == Copy::Running && !o.migrationUnderWay && (o.target == Copy::Absent || o.target == Copy::Unknown);
}
bool onNeither(const Observed& o) { return o.source == Copy::Absent && o.target == Copy::Absent; }
bool lostAfterItLeft(const Observed& o) { return onNeither(o) && o.record.reason == kSourceShutOut; }
bool onlyOnTarget(const Observed& o) { return o.source == Copy::Absent && o.target == Copy::Running; }
bool arrivedWhole(const Observed& o) {
  const bool gone = o.source == Copy::InTransit || o.source == Copy::Absent;
  return gone && (o.target == Copy::Paused || o.target == Copy::Running);
}
// A guest that is gone from its source has handed itself over, or was given back and died later. When the power went,
// nobody knows which of it was: the target's copy may be older than what is on the disks.
bool diedWithItsNode(const Observed& o) {
  return o.sourceLostPower && o.source == Copy::Absent && o.target == Copy::Paused;
}
bool sourceTookItBack(const Observed& o) {
  return o.source == Copy::Running && (o.target == Copy::Paused || o.target == Copy::Running);
}
bool stoodStillAlone(const Observed& o) {
  return (o.source == Copy::InTransit || o.source == Copy::Paused) && o.target == Copy::Absent && !o.migrationUnderWay;
}
bool copyEnded(const Observed& o) { return o.attempted && o.source == Copy::Running && !o.migrationUnderWay; }
bool incompatible(const Observed& o) { return o.incompatible && o.source == Copy::Running; }
bool waitsOnTargetAlone(const Observed& o) { return o.source == Copy::Absent && o.target == Copy::Paused; }

using Row = PhaseRow<Stage, Observed>;

using enum Stage;

// Rows of one stage are tried from the top; the first that holds wins. The guest arrives paused and
// only a mover whose journal says SwitchingOver resumes it, so a running source is never doubled.
constexpr Row kTable[] = {
    {Copying, sourceUnknown, Copying, "SourceUnreachable"},
    {Copying, onNeither, Lost, "GuestLost"},
    {Copying, diedWithItsNode, Lost, "GuestLost"},
    {Copying, arrivedWhole, SwitchingOver, "StateArrived"},
    {Copying, sourceTookItBack, RollingBack, "SourceResumed"},
    {Copying, targetDied, RollingBack, "TargetLost"},
    {Copying, cancelled, RollingBack, "Cancelled"},
    {Copying, stoodStillAlone, RollingBack, "TargetLost"},
    {Copying, incompatible, RollingBack, "IncompatibleProcessor"},
    {Copying, copyEnded, RollingBack, "CopyFailed"},
    {Copying, timeIsUpAndItMayGoAhead, Recalling, "CompletionTimeout"},
    {Copying, timeIsUpAndItMayWait, Holding, "CompletionTimeout"},
    {Copying, timeIsUp, RollingBack, "CompletionTimeout"},
    {Copying, comesNoNearer, RollingBack, "NoProgress"},
    {Copying, always<Observed>, Copying, "Copying"},

    {Holding, sourceUnknown, Holding, "SourceUnreachable"},
    {Holding, onNeither, Lost, "GuestLost"},
    {Holding, diedWithItsNode, Lost, "GuestLost"},
    {Holding, arrivedWhole, SwitchingOver, "StateArrived"},
    {Holding, sourceTookItBack, RollingBack, "SourceResumed"},
    {Holding, cancelledWhileHeld, RollingBack, "Cancelled"},
    {Holding, stoodStillAlone, RollingBack, "TargetLost"},
    {Holding, sourceRunsAlone, RollingBack, "CopyFailed"},
    {Holding, comesNoNearerWhileHeld, RollingBack, "NoProgress"},
    {Holding, always<Observed>, Holding, "CompletionTimeout"},

    {Recalling, sourceUnknown, Recalling, "SourceUnreachable"},
    {Recalling, onNeither, Lost, "GuestLost"},
    {Recalling, diedWithItsNode, Lost, "GuestLost"},
    {Recalling, arrivedWhole, SwitchingOver, "StateArrived"},
    {Recalling, sourceTookItBack, RollingBack, "SourceResumed"},
    {Recalling, cancelled, RollingBack, "Cancelled"},
    {Recalling, stoodStillAlone, RollingBack, "TargetLost"},
    {Recalling, recalled, PostCopying, "CompletionTimeout"},
    {Recalling, always<Observed>, Recalling, "CompletionTimeout"},

    {PostCopying, sourceUnknown, PostCopying, "SourceUnreachable"},
    {PostCopying, onNeither, Lost, "GuestLost"},
    {PostCopying, onlyOnTarget, Moved, "Completed"},
    {PostCopying, sourceTookItBack, RollingBack, "SourceResumed"},
    {PostCopying, cancelledInTime, RollingBack, "Cancelled"},
    {PostCopying, stoodStillAlone, RollingBack, "TargetLost"},
    {PostCopying, copyEnded, RollingBack, "CopyFailed"},
    {PostCopying, always<Observed>, PostCopying, "PostCopying"},

    {SwitchingOver, sourceUnknown, SwitchingOver, "SourceUnreachable"},
    {SwitchingOver, onlyOnTarget, Moved, "Completed"},
    {SwitchingOver, lostAfterItLeft, Moved, "GuestLostOnTheWay"},
    {SwitchingOver, onNeither, Lost, "GuestLost"},
    {SwitchingOver, sourceRuns, RollingBack, "SourceResumed"},
    {SwitchingOver, stoodStillAlone, RollingBack, "TargetLost"},
    {SwitchingOver, always<Observed>, SwitchingOver, "SwitchingOver"},

    {RollingBack, sourceUnknown, RollingBack, "SourceUnreachable"},
    {RollingBack, leftBehind, PostCopying, "AlreadySwitching"},
    {RollingBack, onlyOnTarget, Moved, "Completed"},
    {RollingBack, onNeither, Lost, "GuestLost"},
    {RollingBack, diedWithItsNode, Lost, "GuestLost"},
    {RollingBack, waitsOnTargetAlone, SwitchingOver, "OnlyOnTarget"},
    {RollingBack, sourceRunsAlone, NotMoved, ""},
    {RollingBack, always<Observed>, RollingBack, ""},
};

static_assert(isTotal(kTable, schema::names<Stage>, isVerdict));

Duty dutyWhileCopying(const Observed& o) {
  const bool nothingBegun = o.source == Copy::Running && o.target == Copy::Absent && !o.migrationUnderWay;
  return nothingBegun && !o.attempted ? Duty::BeginMigration : Duty::Wait;
}

Duty dutyWhileHolding(const Observed& o) {
  return o.source == Copy::Running && o.migrationUnderWay ? Duty::Hold : Duty::Wait;
}

Duty dutyWhileRecalling(const Observed& o) {
  if (o.migrationUnderWay) return Duty::CancelMigration;
  return o.source == Copy::Running && o.target == Copy::InTransit ? Duty::DestroyTarget : Duty::Wait;
}

// The source is not shut out: it has memory that the guest needs. It is of no use to anybody once the guest is gone.
Duty dutyWhilePostCopying(const Observed& o) {
  if (o.source == Copy::LeftBehind)
    return o.target == Copy::Absent && !o.migrationUnderWay ? Duty::DestroySource : Duty::Wait;
  if (o.source != Copy::Running) return Duty::Wait;
  if (o.migrationUnderWay) return Duty::StartPostCopy;
  return o.target == Copy::Absent && !o.attempted ? Duty::BeginPostCopy : Duty::Wait;
}

// The source is shut out only while the target is known to hold the guest whole.
Duty dutyWhileSwitchingOver(const Observed& o) {
  const bool targetIsWhole = o.target == Copy::Paused || o.target == Copy::Running;
  if (targetIsWhole && (o.source == Copy::InTransit || o.source == Copy::Paused)) return Duty::Fence;
  return o.source == Copy::Absent && o.target == Copy::Paused ? Duty::ResumeTarget : Duty::Wait;
}

// A source that stands still is resumed only when the target is known to have no copy.
Duty dutyWhileRollingBack(const Observed& o) {
  if (o.migrationUnderWay) return Duty::CancelMigration;
  if (o.source == Copy::Absent || o.source == Copy::Unknown) return Duty::Wait;
  if (o.target != Copy::Absent && o.target != Copy::Unknown) return Duty::DestroyTarget;
  const bool safeToResume = o.source == Copy::Running || o.target == Copy::Absent;
  return safeToResume ? Duty::ResumeSource : Duty::Wait;
}

}  // namespace

// What is being undone keeps the reason why.
Step decide(const Observed& observed) {
  return stepFrom<Step>(kTable, observed.record.stage, observed.record.reason, observed);
}

Duty dutyOf(Stage stage, const Observed& observed) {
  switch (stage) {
    case Copying:
      return dutyWhileCopying(observed);
    case Holding:
      return dutyWhileHolding(observed);
    case Recalling:
      return dutyWhileRecalling(observed);
    case PostCopying:
      return dutyWhilePostCopying(observed);
    case SwitchingOver:
      return dutyWhileSwitchingOver(observed);
    case RollingBack:
      return dutyWhileRollingBack(observed);
    case Moved:
    case NotMoved:
    case Lost:
      return Duty::Wait;
  }
  __builtin_unreachable();
}

}  // namespace godwit::mover::migration
