#include "node/moving/decide.hpp"

#include "base/phase_table.hpp"

namespace godwit::node::moving {
namespace {

bool leavingWhenOver(const Observed& o) { return o.beingDeleted && (o.hasVerdict || o.ended || !o.running); }
bool ended(const Observed& o) { return o.ended; }
bool moved(const Observed& o) { return o.hasVerdict && o.moved; }
bool notMoved(const Observed& o) { return o.hasVerdict; }
bool newcomer(const Observed& o) { return !o.running; }
bool dead(const Observed& o) { return !o.alive; }
bool targetDead(const Observed& o) { return o.targetDead; }
bool toBeCancelled(const Observed& o) { return o.cancelRequested || o.beingDeleted; }

// Tried from the top; the first that holds wins. Running is on record before the mover first starts;
// a mover that died without a verdict is started again, and finishes what was begun.
constexpr Rule<Observed, Step> kTable[] = {
    {leavingWhenOver, {"", Duty::Release}},   {ended, {"", Duty::Rest}},
    {moved, {"Succeeded", Duty::Rest}},       {notMoved, {"Failed", Duty::Rest}},
    {newcomer, {"Running", Duty::Start}},     {dead, {"", Duty::Start}},
    {targetDead, {"", Duty::TellTargetDead}}, {toBeCancelled, {"", Duty::Cancel}},
    {always<Observed>, {"", Duty::Rest}},
};

}  // namespace

Step decide(const Observed& observed) { return firstThatHolds(kTable, observed); }

}  // namespace godwit::node::moving
