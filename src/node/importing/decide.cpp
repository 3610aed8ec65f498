#include "node/importing/decide.hpp"

#include "base/phase_table.hpp"

namespace godwit::node::importing {
namespace {

bool aboutToEnd(const Observed& o) { return o.alive && (o.hasVerdict || o.ended); }
bool leavingWhenOver(const Observed& o) { return o.beingDeleted && (o.hasVerdict || o.ended || !o.running); }
bool ended(const Observed& o) { return o.ended; }
bool filled(const Observed& o) { return o.hasVerdict && o.filled; }
bool notFilled(const Observed& o) { return o.hasVerdict; }
bool newcomer(const Observed& o) { return !o.running; }
bool dead(const Observed& o) { return !o.alive; }
bool nowListens(const Observed& o) { return o.waiting && !o.ready; }
bool leaving(const Observed& o) { return o.beingDeleted; }

// Tried from the top; the first that holds wins. Running is on record before the importer first starts; one that
// died without a verdict is started again, also to be given up: nobody else removes what it has left.
constexpr Rule<Observed, Step> kTable[] = {
    {aboutToEnd, {"", Duty::Rest}},      {leavingWhenOver, {"", Duty::Release}},
    {ended, {"", Duty::Rest}},           {filled, {"Succeeded", Duty::Rest}},
    {notFilled, {"Failed", Duty::Rest}}, {newcomer, {"", Duty::GiveOrders}},
    {dead, {"", Duty::Start}},           {leaving, {"", Duty::Cancel}},
    {nowListens, {"", Duty::SayReady}},  {always<Observed>, {"", Duty::Rest}},
};

}  // namespace

Step decide(const Observed& observed) { return firstThatHolds(kTable, observed); }

}  // namespace godwit::node::importing
