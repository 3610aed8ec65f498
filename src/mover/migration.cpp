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
bool hasGoneOn(const Observed& o) {
  return o.target == Copy::Running || o.target == Copy::Paused || o.target == Copy::Ended;
}
bool onlyOnTarget(const Observed& o) {
  return o.source == Copy::Absent && (o.target == Copy::Running || o.target == Copy::Paused);
}
bool endedAtTarget(const Observed& o) {
  return o.source == Copy::Absent && (o.target == Copy::Ended || o.target == Copy::Absent);
}
bool goesOnAtTarget(const Observed& o) {
  return hasGoneOn(o) && (o.source == Copy::InTransit || o.source == Copy::Paused || o.source == Copy::Absent);
}
bool sourceTookItBack(const Observed& o) {
  return o.source == Copy::Running && (o.target == Copy::Paused || o.target == Copy::Running);
}
bool stoodStillAlone(const Observed& o) {
  return (o.source == Copy::InTransit || o.source == Copy::Paused) && o.target == Copy::Absent && !o.migrationUnderWay;
}
bool copyEnded(const Observed& o) { return o.attempted && o.source == Copy::Running && !o.migrationUnderWay; }
bool incompatible(const Observed& o) { return o.incompatible && o.source == Copy::Running; }

using Row = PhaseRow<Stage, Observed>;

using enum Stage;

// Rows of one stage are tried from the top; the first that holds wins. The source's copy is shut out before the
// target's may run, and let run again only when the target's is known never to have: so there is never a second one.
constexpr Row kTable[] = {
    {Copying, sourceUnknown, Copying, "SourceUnreachable"},
    {Copying, onNeither, Lost, "GuestLost"},
    {Copying, onlyOnTarget, Moved, "Completed"},
    {Copying, goesOnAtTarget, SwitchingOver, "GoneOnAtTarget"},
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
    {Holding, onlyOnTarget, Moved, "Completed"},
    {Holding, goesOnAtTarget, SwitchingOver, "GoneOnAtTarget"},
    {Holding, sourceTookItBack, RollingBack, "SourceResumed"},
    {Holding, cancelledWhileHeld, RollingBack, "Cancelled"},
    {Holding, stoodStillAlone, RollingBack, "TargetLost"},
    {Holding, sourceRunsAlone, RollingBack, "CopyFailed"},
    {Holding, comesNoNearerWhileHeld, RollingBack, "NoProgress"},
    {Holding, always<Observed>, Holding, "CompletionTimeout"},

    {Recalling, sourceUnknown, Recalling, "SourceUnreachable"},
    {Recalling, onNeither, Lost, "GuestLost"},
    {Recalling, onlyOnTarget, Moved, "Completed"},
    {Recalling, goesOnAtTarget, SwitchingOver, "GoneOnAtTarget"},
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
    {SwitchingOver, endedAtTarget, Moved, "GuestLostOnTheWay"},
    {SwitchingOver, sourceRuns, RollingBack, "SourceResumed"},
    {SwitchingOver, always<Observed>, SwitchingOver, "SwitchingOver"},

    {RollingBack, sourceUnknown, RollingBack, "SourceUnreachable"},
    {RollingBack, leftBehind, PostCopying, "AlreadySwitching"},
    {RollingBack, onlyOnTarget, Moved, "Completed"},
    {RollingBack, onNeither, Lost, "GuestLost"},
    {RollingBack, goesOnAtTarget, SwitchingOver, "AlreadySwitching"},
    {RollingBack, sourceRunsAlone, NotMoved, ""},
    {RollingBack, always<Observed>, RollingBack, ""},
};

// Copies of disks are compared, and kept equal, where one node reaches both.
constexpr bool isNotOfGuests(Stage stage) { return isVerdict(stage) || isMirrored(stage) || stage == Mending; }

static_assert(isTotal(kTable, schema::names<Stage>, isNotOfGuests));

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

// It has gone on at the target, whatever became of it there since: the source's copy is of the past.
Duty dutyWhileSwitchingOver(const Observed& o) {
  const bool standsStill = o.source == Copy::InTransit || o.source == Copy::Paused;
  return standsStill && o.target != Copy::InTransit ? Duty::Fence : Duty::Wait;
}

// A source that stands still is resumed only when the target is known to have no copy, and never to have had one that
// ran. What is there may just be about to run, or to be ended by its hypervisor: nobody but that knows.
Duty dutyWhileRollingBack(const Observed& o) {
  if (o.migrationUnderWay) return Duty::CancelMigration;
  if (o.source == Copy::Running && o.target != Copy::Absent && o.target != Copy::Unknown) return Duty::DestroyTarget;
  const bool standsStill = o.source == Copy::InTransit || o.source == Copy::Paused;
  return o.source == Copy::Running || (standsStill && o.target == Copy::Absent) ? Duty::ResumeSource : Duty::Wait;
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
    case Verifying:
    case InSync:
    case Mending:
    case Moved:
    case NotMoved:
    case Lost:
      return Duty::Wait;
  }
  __builtin_unreachable();
}

}  // namespace godwit::mover::migration
