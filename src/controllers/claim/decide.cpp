#include "controllers/claim/decide.hpp"

#include "base/phase_table.hpp"

namespace godwit::controllers::claim {
namespace {

bool leavingUnused(const Observed& o) { return o.beingDeleted && !o.inUse; }
bool leavingUnbound(const Observed& o) { return o.beingDeleted && !o.volumeNamed; }
bool boundAndThere(const Observed& o) { return o.bound && o.namedVolumeExists; }
bool growing(const Observed& o) { return boundAndThere(o) && o.growing; }
bool toGrowAfterMove(const Observed& o) { return boundAndThere(o) && o.asksForMore && o.mayGrow && o.userMoves; }
bool toGrow(const Observed& o) { return boundAndThere(o) && o.asksForMore && o.mayGrow; }
bool volumeTaken(const Observed& o) { return !o.bound && o.namedVolumeTaken; }
bool volumeToBeKept(const Observed& o) { return !o.bound && o.namedVolumeFree; }
bool volumeNamed(const Observed& o) { return o.volumeNamed && o.namedVolumeExists; }
bool volumeLost(const Observed& o) { return o.volumeNamed && !o.namedVolumeExists; }
bool volumeKeptForIt(const Observed& o) { return o.volumeKeptForIt; }
bool waitsForConsumer(const Observed& o) { return o.waitsForConsumer && !o.nodeChosen; }
bool fittingVolumeFree(const Observed& o) { return o.fittingVolumeFree; }
bool cannotBeMade(const Observed& o) { return o.classIsOurs && o.cannotBeMade; }
bool classIsOurs(const Observed& o) { return o.classIsOurs; }
bool classMissing(const Observed& o) { return o.classNamed && !o.classExists; }

// Tried from the top; the first that holds wins. A volume is kept for the claim (claimRef) before
// the claim is bound to it, so that a crash in between leaves no volume promised twice. Nothing grows under a guest
// that is being moved: both ends of a mirror must have one size.
constexpr Rule<Observed, Step> kTable[] = {
    {leavingUnused, {"", "Deleted", Duty::LetGo}},
    {leavingUnbound, {"Pending", "Deleted", Duty::Rest}},
    {volumeTaken, {"Pending", "VolumeTaken", Duty::Rest}},
    {volumeToBeKept, {"Pending", "Binding", Duty::KeepVolume}},
    {growing, {"Bound", "Bound", Duty::Rest, "Resizing"}},
    {toGrowAfterMove, {"Bound", "Bound", Duty::Rest, "WaitingForMove"}},
    {toGrow, {"Bound", "Bound", Duty::RaiseCapacity, "Resizing"}},
    {boundAndThere, {"Bound", "Bound", Duty::Rest}},
    {volumeNamed, {"Bound", "Bound", Duty::ConfirmBinding}},
    {volumeLost, {"Lost", "VolumeLost", Duty::Rest}},
    {volumeKeptForIt, {"Pending", "Binding", Duty::NameVolume}},
    {waitsForConsumer, {"Pending", "WaitForFirstConsumer", Duty::Rest}},
    {fittingVolumeFree, {"Pending", "Binding", Duty::KeepVolume}},
    {cannotBeMade, {"Pending", "ProvisioningFailed", Duty::Rest}},
    {classIsOurs, {"Pending", "Provisioning", Duty::Provision}},
    {classMissing, {"Pending", "ClassNotFound", Duty::Rest}},
    {always<Observed>, {"Pending", "NoVolumeFits", Duty::Rest}},
};

}  // namespace

Step decide(const Observed& observed) { return firstThatHolds(kTable, observed); }

}  // namespace godwit::controllers::claim
