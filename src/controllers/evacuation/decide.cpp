#include "controllers/evacuation/decide.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kinds/eviction.hpp"

namespace godwit::controllers::evacuation {
namespace {

using namespace std::chrono_literals;

constexpr Duration kFirstPatience = 20s;
constexpr int kMostDoublings = 4;

constexpr std::string_view kBackoff = "MigrationBackoff";
constexpr std::string_view kImmovable = "NotMigratable";
constexpr std::string_view kExternal = "LeftToOthers";

bool backsOff(const Observed& seen) { return seen.failures > 0 && seen.sinceFailure < patience(seen.failures); }

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
    {backsOff, {Duty::Wait, kBackoff}},
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
  if (step.reason == kBackoff)
    return fmt::format("{} in a row failed, the last one with \"{}\"; the next one begins {} seconds after it",
                       observed.failures == 1 ? "one migration" : fmt::format("{} migrations", observed.failures),
                       observed.lastFailure, patience(observed.failures) / 1s);
  return "";
}

Duration patience(int failures) { return kFirstPatience * (1 << std::clamp(failures - 1, 0, kMostDoublings)); }

}  // namespace godwit::controllers::evacuation
