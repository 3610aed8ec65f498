#include "controllers/migration/decide.hpp"

#include <fmt/format.h>

#include "base/phase_table.hpp"

namespace godwit::controllers::migration {
namespace {

using namespace std::chrono_literals;

// KubeVirt's own patience with a target that no node takes.
constexpr Duration kUnschedulableLimit = 300s;
// Whoever says where it is to go wants to hear at once that it cannot; what is on its way out may take a moment to
// leave.
constexpr Duration kRestrictedLimit = 2s;

bool cancelled(const Observed& o) { return o.cancelRequested; }
bool instanceMissing(const Observed& o) { return !o.instance; }
bool instanceEnded(const Observed& o) { return o.instance->ended; }
bool instanceLeaving(const Observed& o) { return o.instance && o.instance->leaving; }
bool instanceNotRunning(const Observed& o) { return !o.instance->running; }
bool instancePaused(const Observed& o) { return o.instance->paused; }
bool volumesNotAttached(const Observed& o) { return !o.instance->unattachedClaim.empty(); }
bool destinationMissing(const Observed& o) { return !o.missingClaim.empty(); }
// A destination that goes later than this is the target pod's to tell of.
bool destinationGone(const Observed& o) { return destinationMissing(o) && !o.target; }
bool volumesRefused(const Observed& o) { return !o.refusal.empty(); }
bool heldByUs(const Observed& o) { return o.instance->heldByUs; }
bool heldByAnother(const Observed& o) { return o.instance->heldByAnother; }
bool instanceLost(const Observed& o) { return !o.instance || o.instance->ended || !o.instance->heldByUs; }
bool sourceDied(const Observed& o) { return o.instance->dead; }
bool targetFailed(const Observed& o) { return o.target && (o.target->failed || o.target->onDeadNode); }
bool targetLost(const Observed& o) { return !o.target || targetFailed(o); }
bool targetOnSource(const Observed& o) { return o.target && o.target->onSource && !o.inPlace; }
bool targetBound(const Observed& o) { return o.target && o.target->bound; }
bool targetUnschedulable(const Observed& o) { return o.target && o.target->unschedulable; }
bool unschedulableTooLong(const Observed& o) {
  const bool hurried = o.restricted && !o.unsettled;
  return targetUnschedulable(o) && o.inPhase > (hurried ? kRestrictedLimit : kUnschedulableLimit);
}
// It is tried again and again: a quota is free again when others have ended.
bool overQuota(const Observed& o) { return !o.target && !o.overQuota.empty(); }
bool overQuotaTooLong(const Observed& o) { return overQuota(o) && o.inPhase > kUnschedulableLimit; }
bool selectorsCollide(const Observed& o) { return o.prospect.obstacle == Obstacle::SelectorsCollide; }
bool noNodeMatches(const Observed& o) { return o.prospect.obstacle == Obstacle::NoNodeMatches; }
bool alreadyThere(const Observed& o) { return o.prospect.obstacle == Obstacle::AlreadyThere; }
bool excludedByMachine(const Observed& o) { return o.prospect.obstacle == Obstacle::ExcludedByMachine; }
bool waitsForTurn(const Observed& o) { return o.queue.has_value(); }
bool targetReady(const Observed& o) { return o.target && o.target->ready; }
bool handedOff(const Observed& o) { return o.instance->handedOff; }
bool moverFailed(const Observed& o) { return o.mover && o.mover->failed && !o.mover->lost; }
// Some of the disks that it was to move have moved, and its guest has ended.
bool disksApart(const Observed& o) { return moverFailed(o) && o.mover->reason == "DisksApart" && !o.outcomeGivenUp; }
bool moverSucceeded(const Observed& o) { return o.mover && o.mover->succeeded; }
bool handedOver(const Observed& o) { return o.instance && o.instance->handedOver; }
bool moved(const Observed& o) { return handedOver(o) && o.machineFollowed; }
bool movedButInstanceGone(const Observed& o) { return moverSucceeded(o) && (!o.instance || !o.instance->heldByUs); }

// When the source's node dies the mover dies with it, and its journal is out of reach. Across nodes the target knows
// enough: a guest that runs there has moved; else it never ran there, and the source's volumes have all its writes.
// In place, or when the target is dead too, only the journal knows which volumes are the newer ones. A cancel of before
// gives nothing up: the mover may have been past it.
bool moverLost(const Observed& o) { return o.mover && o.mover->lost; }
bool lostWithInstance(const Observed& o) { return moverLost(o) && (!o.instance || !o.instance->heldByUs); }
bool lostButArrived(const Observed& o) { return moverLost(o) && o.target && o.target->arrived; }
bool targetDead(const Observed& o) { return o.target && o.target->onDeadNode && !o.inPlace; }
bool lostWithTarget(const Observed& o) { return moverLost(o) && o.movesVolumes && targetDead(o) && !o.outcomeGivenUp; }
bool lostAndNotArrived(const Observed& o) {
  return moverLost(o) && (o.inPlace || !o.target || o.target->ended || targetDead(o));
}
bool sourceDead(const Observed& o) { return o.mover && o.mover->onDeadNode; }
bool sourceDeadForGood(const Observed& o) {
  if (!sourceDead(o)) return false;
  return o.outcomeGivenUp || (!o.inPlace && !(o.movesVolumes && targetDead(o)));
}

using Row = PhaseRow<MigrationPhase, Observed>;

using enum kinds::MigrationPhase;

// Rows of one phase are tried from the top; the first that holds wins. From Running on only the
// mover's verdict ends it: a cancel is passed on to the mover, who knows whether it is too late.
constexpr Row kTable[] = {
    {Unset, always<Observed>, Pending, "Accepted"},

    {Pending, cancelled, Failed, "Cancelled"},
    {Pending, instanceMissing, Failed, "InstanceNotFound"},
    {Pending, instanceEnded, Failed, "InstanceEnded"},
    {Pending, destinationMissing, Failed, "DestinationNotFound"},
    {Pending, heldByUs, Scheduling, "WaitingForNode"},
    {Pending, heldByAnother, Pending, "AnotherMigrationInProgress"},
    {Pending, instanceNotRunning, Pending, "InstanceNotRunning"},
    {Pending, instancePaused, Failed, "InstancePaused"},
    {Pending, volumesNotAttached, Failed, "VolumeNotAttached"},
    {Pending, volumesRefused, Failed, "VolumeRefused"},
    {Pending, selectorsCollide, Failed, "ConflictingNodeSelectors"},
    {Pending, noNodeMatches, Failed, "NoMatchingNode"},
    {Pending, alreadyThere, Failed, "AlreadyOnNode"},
    {Pending, excludedByMachine, Failed, "ExcludedByVirtualMachine"},
    {Pending, waitsForTurn, Pending, "WaitingForTurn"},
    {Pending, always<Observed>, Pending, "ClaimingInstance"},

    {Scheduling, cancelled, Failed, "Cancelled"},
    {Scheduling, instanceLost, Failed, "InstanceLost"},
    {Scheduling, sourceDied, Failed, "SourceDied"},
    {Scheduling, destinationGone, Failed, "DestinationNotFound"},
    {Scheduling, targetFailed, Failed, "TargetFailed"},
    {Scheduling, targetOnSource, Failed, "TargetIsSource"},
    {Scheduling, targetBound, Scheduled, "TargetBound"},
    {Scheduling, unschedulableTooLong, Failed, "Unschedulable"},
    {Scheduling, targetUnschedulable, Scheduling, "Unschedulable"},
    {Scheduling, overQuotaTooLong, Failed, "QuotaExceeded"},
    {Scheduling, overQuota, Scheduling, "QuotaExceeded"},
    {Scheduling, always<Observed>, Scheduling, "WaitingForNode"},

    {Scheduled, cancelled, Failed, "Cancelled"},
    {Scheduled, instanceLost, Failed, "InstanceLost"},
    {Scheduled, sourceDied, Failed, "SourceDied"},
    {Scheduled, targetLost, Failed, "TargetFailed"},
    {Scheduled, handedOff, PreparingTarget, "PreparingTarget"},
    {Scheduled, waitsForTurn, Scheduled, "WaitingForTurn"},
    {Scheduled, always<Observed>, Scheduled, "HandingOff"},

    {PreparingTarget, cancelled, Failed, "Cancelled"},
    {PreparingTarget, instanceLost, Failed, "InstanceLost"},
    {PreparingTarget, sourceDied, Failed, "SourceDied"},
    {PreparingTarget, targetLost, Failed, "TargetFailed"},
    {PreparingTarget, targetReady, TargetReady, "TargetPrepared"},
    {PreparingTarget, always<Observed>, PreparingTarget, "PreparingTarget"},

    {TargetReady, cancelled, Failed, "Cancelled"},
    {TargetReady, instanceLost, Failed, "InstanceLost"},
    {TargetReady, sourceDied, Failed, "SourceDied"},
    {TargetReady, targetLost, Failed, "TargetFailed"},
    {TargetReady, always<Observed>, Running, "Moving"},

    {Running, disksApart, Running, "DisksApart"},
    {Running, moverFailed, Failed, "MoveFailed"},
    {Running, moved, Succeeded, "Completed"},
    {Running, handedOver, Running, "UpdatingMachine"},
    {Running, movedButInstanceGone, Failed, "InstanceLost"},
    {Running, moverSucceeded, Running, "HandingOver"},
    {Running, lostWithInstance, Failed, "InstanceLost"},
    {Running, lostButArrived, Running, "HandingOver"},
    {Running, lostWithTarget, Running, "OutcomeUnknown"},
    {Running, lostAndNotArrived, Failed, "SourceDied"},
    {Running, moverLost, Running, "AskingTarget"},
    {Running, sourceDeadForGood, Running, "GivingUpMover"},
    {Running, sourceDead, Running, "OutcomeUnknown"},
    {Running, targetDead, Running, "TargetDied"},
    {Running, cancelled, Running, "Cancelling"},
    {Running, instanceLeaving, Running, "InstanceLeaving"},
    {Running, always<Observed>, Running, "Moving"},
};

static_assert(isTotal(kTable, schema::names<MigrationPhase>, kinds::isFinal));

Duty dutyWhileRunning(const Observed& observed) {
  if (handedOver(observed)) return observed.machineFollowed ? Duty::Rest : Duty::UpdateMachine;
  if (!observed.mover) return Duty::CreateMover;
  if (moverSucceeded(observed) || lostButArrived(observed)) return Duty::HandOver;
  if (moverFailed(observed)) return Duty::Rest;
  if (moverLost(observed)) return observed.target ? Duty::AskTarget : Duty::Rest;
  if (sourceDead(observed)) return sourceDeadForGood(observed) ? Duty::AbandonMover : Duty::Rest;
  if (targetDead(observed)) return Duty::TellTargetDead;
  if (cancelled(observed) || instanceLeaving(observed)) return Duty::CancelMover;
  return observed.optionsChanged ? Duty::TellOptions : Duty::Rest;
}

}  // namespace

bool mayBeClaimed(const Observed& o) {
  return o.instance && o.instance->running && !o.instance->heldByAnother && !o.instance->paused &&
         o.prospect.obstacle == Obstacle::None && !instanceEnded(o) && !volumesNotAttached(o) &&
         !destinationMissing(o) && !volumesRefused(o) && !cancelled(o);
}

Step decide(const Observed& observed) { return stepFrom<Step>(kTable, observed.phase, observed.reason, observed); }

// The duty of a phase is done as soon as it is entered, before its rows are looked at.
Duty dutyOf(MigrationPhase phase, const Observed& observed) {
  switch (phase) {
    case Unset:
      return Duty::Rest;
    case Pending:
      return mayBeClaimed(observed) && !waitsForTurn(observed) ? Duty::ClaimInstance : Duty::Rest;
    case Scheduling:
      return observed.target ? Duty::Rest : Duty::CreateTarget;
    case Scheduled:
      return waitsForTurn(observed) ? Duty::Rest : Duty::HandOff;
    case PreparingTarget:
      return Duty::Rest;
    case TargetReady:
      return Duty::Rest;
    case Running:
      return dutyWhileRunning(observed);
    case Succeeded:
      return Duty::CleanUp;
    case Failed:
      return Duty::GiveBack;
  }
  __builtin_unreachable();
}

std::string explain(const Step& step, const Observed& observed) {
  if (step.reason == "MoveFailed") return observed.mover->message;
  if (step.reason == "InstanceLeaving") return "the VMI was deleted, so it does not move any more";
  if (step.reason == "DisksApart")
    return fmt::format(
        "the guest ended when only some of its disks had moved: {}; let its VM name the claims that have the data, "
        "without spec.updateVolumesStrategy, then delete this migration",
        observed.mover->message);
  if (step.reason == "ConflictingNodeSelectors" || step.reason == "NoMatchingNode" || step.reason == "AlreadyOnNode" ||
      step.reason == "ExcludedByVirtualMachine")
    return observed.prospect.message;
  if (step.reason == "Unschedulable" || step.reason == "TargetFailed")
    return observed.target ? observed.target->message : "the target pod is gone";
  if (step.reason == "QuotaExceeded") return observed.overQuota;
  if (step.reason == "InstanceNotFound") return fmt::format("VMI {} does not exist", observed.instanceName);
  if (step.reason == "DestinationNotFound")
    return fmt::format("claim {} does not exist; make it, then a new migration", observed.missingClaim);
  if (step.reason == "InstanceEnded") return "Cannot migrate VMI in finalized state.";
  if (step.reason == "InstancePaused")
    return fmt::format("VMI {} is paused; unpause it, then make a new migration", observed.instanceName);
  if (step.reason == "TargetIsSource") return "the target pod was bound to the node the guest is on";
  if (step.reason == "VolumeNotAttached")
    return fmt::format("VMI {} does not use claim {}", observed.instanceName, observed.instance->unattachedClaim);
  if (step.reason == "VolumeRefused") return observed.refusal;
  if (step.reason == "SourceDied") return fmt::format("node {} died before the guest had moved", observed.sourceNode);
  if (step.reason == "OutcomeUnknown")
    return fmt::format(
        "node {} died during the move, and what it wrote down says which volumes are the guest's: start the node "
        "again{}",
        observed.sourceNode,
        observed.cancelRequested ? "" : ", or delete this migration to go back to the old volumes");
  if (step.reason == "WaitingForTurn")
    return fmt::format("number {} of those that wait; the limit is {}", observed.queue->position,
                       observed.queue->limit);
  if (step.reason == "Cancelled") return "the migration was deleted before the guest began to move";
  return "";
}

}  // namespace godwit::controllers::migration
