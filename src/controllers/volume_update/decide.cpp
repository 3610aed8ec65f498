#include "controllers/volume_update/decide.hpp"

#include "base/phase_table.hpp"

namespace godwit::controllers::volume_update {
namespace {

constexpr std::string_view kPermanent = "Permanent";

constexpr std::string_view kMigrating = "MigratingVolumes";
constexpr std::string_view kOnlyRevertible = "AnotherChangeInProgress";
constexpr std::string_view kOthers = "AnotherMigrationInProgress";
constexpr std::string_view kMissing = "DestinationMissing";
constexpr std::string_view kUnfilled = "DestinationNotFilled";
constexpr std::string_view kRefused = "DestinationRefused";
constexpr std::string_view kHopeless = "MigrationFailed";
constexpr std::string_view kBackoff = "MigrationBackoff";

bool takenBack(const Observed& o) { return o.underWay && !o.asked && !o.arrived; }
bool notAsked(const Observed& o) { return !o.asked; }
bool notRunning(const Observed& o) { return !o.runs; }
bool movesOtherwise(const Observed& o) { return o.underWay && !o.sameClaims; }
bool underWay(const Observed& o) { return o.underWay; }
bool othersMove(const Observed& o) { return o.othersMove; }
bool unmovable(const Observed& o) { return !o.unmovable.empty(); }
bool missing(const Observed& o) { return !o.missing.empty(); }
bool unfilled(const Observed& o) { return !o.unfilled.empty(); }
bool refused(const Observed& o) { return !o.objection.empty(); }
// What the volumes were refused for has been looked at anew by then.
bool hopeless(const Observed& o) {
  return o.failures.failureClass == kPermanent && o.failures.reason != "VolumeRefused";
}
bool notOnRecord(const Observed& o) { return !o.onRecord; }
bool tooEarly(const Observed& o) { return backsOff(o.failures); }

// Tried from the top; the first that holds wins. What is under way is called off before anything else is looked at.
constexpr Rule<Observed, Step> kTable[] = {
    {takenBack, {Duty::CallOff, "False", kCancellation}},
    {notAsked, {Duty::Rest, "", ""}},
    {notRunning, {Duty::Rest, "", ""}},
    {movesOtherwise, {Duty::Rest, "True", kOnlyRevertible}},
    {underWay, {Duty::Rest, "True", kMigrating}},
    {othersMove, {Duty::Rest, "True", kOthers}},
    {unmovable, {Duty::Rest, "False", kRestartRequired}},
    {missing, {Duty::Rest, "False", kMissing}},
    {unfilled, {Duty::Rest, "False", kUnfilled}},
    {refused, {Duty::Rest, "False", kRefused}},
    {hopeless, {Duty::Rest, "False", kHopeless}},
    {notOnRecord, {Duty::Rest, "True", kMigrating}},
    {tooEarly, {Duty::Wait, "True", kBackoff}},
    {always<Observed>, {Duty::Begin, "True", kMigrating}},
};

}  // namespace

Step decide(const Observed& observed) { return firstThatHolds(kTable, observed); }

std::string explain(const Step& step, const Observed& observed) {
  if (step.reason == kMigrating) return "migrate volumes";
  if (step.reason == kCancellation) return "the claims are those again that the guest uses";
  if (step.reason == kOnlyRevertible)
    return "The volume can only be reverted to the previous version during the update";
  if (step.reason == kOthers) return "the volumes are moved when the migration that is under way has ended";
  if (step.reason == kRestartRequired) return "invalid volumes to update with migration:" + observed.unmovable;
  if (step.reason == kMissing) return "One of the destination volumes doesn't exist: " + observed.missing;
  if (step.reason == kUnfilled) return observed.unfilled;
  if (step.reason == kRefused) return observed.objection;
  if (step.reason == kHopeless)
    return observed.failures.message + "; it is tried again when the VM's claims are changed";
  if (step.reason == kBackoff) return controllers::explain(observed.failures);
  return "";
}

}  // namespace godwit::controllers::volume_update
