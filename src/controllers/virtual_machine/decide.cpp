#include "controllers/virtual_machine/decide.hpp"

#include "base/phase_table.hpp"

namespace godwit::controllers::virtual_machine {
namespace {

bool beingDeleted(const Observed& o) { return o.beingDeleted; }
bool notWantedButThere(const Observed& o) { return !o.wanted && o.instance; }
bool notWanted(const Observed& o) { return !o.wanted; }
bool instanceMissing(const Observed& o) { return !o.instance; }
bool instanceLeaving(const Observed& o) { return o.instance->beingDeleted; }
bool instanceEnded(const Observed& o) { return kinds::isFinal(o.instance->phase); }
bool instanceMoving(const Observed& o) {
  return o.instance->phase == kinds::InstancePhase::Running && o.instance->moving;
}
bool instanceRunning(const Observed& o) { return o.instance->phase == kinds::InstancePhase::Running; }

// Tried from the top; the first that holds wins. Rows below instanceMissing find an instance.
constexpr Rule<Observed, Step> kTable[] = {
    {beingDeleted, {"Terminating", Duty::Rest}},  {notWantedButThere, {"Stopping", Duty::DeleteInstance}},
    {notWanted, {"Stopped", Duty::Rest}},         {instanceMissing, {"Starting", Duty::CreateInstance}},
    {instanceLeaving, {"Stopping", Duty::Rest}},  {instanceEnded, {"Starting", Duty::DeleteInstance}},
    {instanceMoving, {"Migrating", Duty::Rest}},  {instanceRunning, {"Running", Duty::Rest}},
    {always<Observed>, {"Starting", Duty::Rest}},
};

}  // namespace

Step decide(const Observed& observed) { return firstThatHolds(kTable, observed); }

}  // namespace godwit::controllers::virtual_machine
