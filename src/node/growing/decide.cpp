#include "node/growing/decide.hpp"

#include "base/phase_table.hpp"

namespace godwit::node::growing {
namespace {

bool userMoves(const Observed& o) { return o.userMoves; }
bool hasGuestHere(const Observed& o) { return o.usedHere && o.guestSeen && o.growsUnderGuest; }
bool guestIsToComeOrGo(const Observed& o) { return o.usedHere; }
bool usedElsewhere(const Observed& o) { return o.usedElsewhere; }

// Tried from the top; the first that holds wins. Under a guest only its own node makes a volume larger, so that its
// QEMU knows; a guest that is to start on a node opens what that node has made.
constexpr Rule<Observed, Duty> kTable[] = {
    {userMoves, Duty::Wait},         {hasGuestHere, Duty::GrowUnderGuest},
    {guestIsToComeOrGo, Duty::Wait}, {usedElsewhere, Duty::LeaveToOther},
    {always<Observed>, Duty::Grow},
};

}  // namespace

Duty decide(const Observed& observed) { return firstThatHolds(kTable, observed); }

}  // namespace godwit::node::growing
