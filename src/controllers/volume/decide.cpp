#include "controllers/volume/decide.hpp"

#include "base/phase_table.hpp"

namespace godwit::controllers::volume {
namespace {

bool beingDeleted(const Observed& o) { return o.beingDeleted; }
bool unclaimed(const Observed& o) { return !o.claimed; }
bool inUse(const Observed& o) { return o.claimExists && o.claimNamesIt; }
bool promised(const Observed& o) { return o.claimExists; }
bool releasedAndOursToDelete(const Observed& o) { return o.deleteWhenReleased && o.madeByUs; }

// Tried from the top; the first that holds wins. Nothing is deleted that Godwit did not make.
constexpr Rule<Observed, Step> kTable[] = {
    {beingDeleted, {"", Duty::Rest}},
    {unclaimed, {"Available", Duty::Rest}},
    {inUse, {"Bound", Duty::Rest}},
    {promised, {"", Duty::Rest}},
    {releasedAndOursToDelete, {"Released", Duty::Delete}},
    {always<Observed>, {"Released", Duty::Rest}},
};

}  // namespace

Step decide(const Observed& observed) { return firstThatHolds(kTable, observed); }

}  // namespace godwit::controllers::volume
