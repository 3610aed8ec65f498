#include "controllers/volume/decide.hpp"

#include "base/phase_table.hpp"

namespace godwit::controllers::volume {
namespace {

bool leavingUnneeded(const Observed& o) { return o.beingDeleted && !o.claimExists && !o.inUse; }
bool beingDeleted(const Observed& o) { return o.beingDeleted; }
bool unclaimed(const Observed& o) { return !o.claimed; }
bool inUse(const Observed& o) { return o.claimExists && o.claimNamesIt; }
bool promised(const Observed& o) { return o.claimExists; }
bool releasedUnderGuest(const Observed& o) { return o.inUse; }
bool releasedAndOursToDelete(const Observed& o) { return o.deleteWhenReleased && o.madeByUs; }

// Tried from the top; the first that holds wins. Nothing is deleted that Godwit did not make, or
// that somebody uses, even if the claim was taken away by force.
constexpr Rule<Observed, Step> kTable[] = {
    {leavingUnneeded, {"", Duty::LetGo}},
    {beingDeleted, {"", Duty::Rest}},
    {unclaimed, {"Available", Duty::Rest}},
    {inUse, {"Bound", Duty::Rest}},
    {promised, {"", Duty::Rest}},
    {releasedUnderGuest, {kReleased, Duty::Rest}},
    {releasedAndOursToDelete, {kReleased, Duty::Delete}},
    {always<Observed>, {kReleased, Duty::Rest}},
};

}  // namespace

Step decide(const Observed& observed) { return firstThatHolds(kTable, observed); }

}  // namespace godwit::controllers::volume
