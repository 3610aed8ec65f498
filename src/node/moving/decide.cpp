#include "node/moving/decide.hpp"

namespace godwit::node::moving {
namespace {

bool always(const Observed&) { return true; }
bool leavingWhenOver(const Observed& o) { return o.beingDeleted && (o.hasVerdict || o.ended || !o.running); }
bool ended(const Observed& o) { return o.ended; }
bool moved(const Observed& o) { return o.hasVerdict && o.moved; }
bool notMoved(const Observed& o) { return o.hasVerdict; }
bool newcomer(const Observed& o) { return !o.running; }
bool dead(const Observed& o) { return !o.alive; }
bool toBeCancelled(const Observed& o) { return o.cancelRequested || o.beingDeleted; }

struct Row {
  bool (*when)(const Observed&);
  Step step;
};

// Tried from the top; the first that holds wins. Running is on record before the mover first starts;
// a mover that died without a verdict is started again, and finishes what was begun.
constexpr Row kTable[] = {
    {leavingWhenOver, {"", Duty::Release}}, {ended, {"", Duty::Rest}},           {moved, {"Succeeded", Duty::Rest}},
    {notMoved, {"Failed", Duty::Rest}},     {newcomer, {"Running", Duty::Rest}}, {dead, {"", Duty::Start}},
    {toBeCancelled, {"", Duty::Cancel}},    {always, {"", Duty::Rest}},
};

}  // namespace

Step decide(const Observed& observed) {
  for (const Row& row : kTable)
    if (row.when(observed)) return row.step;
  return {};
}

}  // namespace godwit::node::moving
