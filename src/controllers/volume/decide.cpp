#include "controllers/volume/decide.hpp"

namespace godwit::controllers::volume {
namespace {

bool always(const Observed&) { return true; }
bool beingDeleted(const Observed& o) { return o.beingDeleted; }
bool unclaimed(const Observed& o) { return !o.claimed; }
bool inUse(const Observed& o) { return o.claimExists && o.claimNamesIt; }
bool promised(const Observed& o) { return o.claimExists; }
bool releasedAndOursToDelete(const Observed& o) { return o.deleteWhenReleased && o.madeByUs; }

struct Row {
  bool (*when)(const Observed&);
  Step step;
};

// Tried from the top; the first that holds wins. Nothing is deleted that Godwit did not make.
constexpr Row kTable[] = {
    {beingDeleted, {"", Duty::Rest}},
    {unclaimed, {"Available", Duty::Rest}},
    {inUse, {"Bound", Duty::Rest}},
    {promised, {"", Duty::Rest}},
    {releasedAndOursToDelete, {"Released", Duty::Delete}},
    {always, {"Released", Duty::Rest}},
};

}  // namespace

Step decide(const Observed& observed) {
  for (const Row& row : kTable)
    if (row.when(observed)) return row.step;
  return {};
}

}  // namespace godwit::controllers::volume
