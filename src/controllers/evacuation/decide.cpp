#include "controllers/evacuation/decide.hpp"

#include "kinds/eviction.hpp"

namespace godwit::controllers::evacuation {
namespace {

constexpr std::string_view kBackoff = "MigrationBackoff";
constexpr std::string_view kImmovable = "NotMigratable";
constexpr std::string_view kExternal = "LeftToOthers";

struct Row {
  bool (*holds)(const Observed&);
  Step step;
};

constexpr Row kRows[] = {
    {[](const Observed& seen) { return seen.strays; }, {Duty::CallOff, ""}},
    {[](const Observed& seen) { return !seen.toLeave; }, {Duty::Rest, ""}},
    {[](const Observed& seen) { return !seen.runs; }, {Duty::Rest, ""}},
    {[](const Observed& seen) { return seen.left; }, {Duty::Forget, ""}},
    {[](const Observed& seen) { return seen.cordonLifted; }, {Duty::CallOff, ""}},
    {[](const Observed& seen) { return seen.underWay; }, {Duty::Rest, kinds::kMigrationUnderWay}},
    {[](const Observed& seen) { return seen.byOthers; }, {Duty::Rest, kExternal}},
    {[](const Observed& seen) { return !seen.obstacle.empty(); }, {Duty::Rest, kImmovable}},
    {[](const Observed& seen) { return backsOff(seen.failures); }, {Duty::Wait, kBackoff}},
    {[](const Observed&) { return true; }, {Duty::Begin, kinds::kMigrationUnderWay}},
};

}  // namespace

Step decide(const Observed& observed) {
  for (const Row& row : kRows)
    if (row.holds(observed)) return row.step;
  __builtin_unreachable();
}

std::string explain(const Step& step, const Observed& observed) {
  if (step.reason == kinds::kMigrationUnderWay) return "the guest is to leave its node, and a migration takes it away";
  if (step.reason == kExternal) return "the guest is to leave its node; its eviction strategy leaves that to others";
  if (step.reason == kImmovable) return "the guest is to leave its node, and cannot: " + observed.obstacle;
  if (step.reason == kBackoff) return explain(observed.failures);
  return "";
}

}  // namespace godwit::controllers::evacuation
