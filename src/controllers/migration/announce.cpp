#include "controllers/migration/announce.hpp"

#include <fmt/format.h>

namespace godwit::controllers::migration {
namespace {

using About = Announcement::About;

std::vector<Announcement> ofTheEnd(const Step& step, const Observed& observed) {
  const std::string why = fmt::format("{}: {}", step.reason, explain(step, observed));
  const bool began = observed.phase == MigrationPhase::Running;
  std::vector<Announcement> all;
  if (step.phase == MigrationPhase::Failed) {
    all.push_back({About::Move, false, "FailedMigration", why});
    if (began) all.push_back({About::Guest, false, "Migrated", "The migration failed: " + why});
    return all;
  }
  all.push_back({About::Move, true, "SuccessfulMigration", "Source node reported migration succeeded"});
  all.push_back(
      {About::Guest, true, "Migrated",
       fmt::format("The VirtualMachineInstance migrated to node {}.", observed.target ? observed.target->node : "")});
  // The migration itself is gone in a moment.
  if (observed.cancelRequested || (observed.instance && observed.instance->abortRequested))
    for (const About about : {About::Move, About::Guest})
      all.push_back({about, false, "FailedAbortMigration",
                     "the migration was to be cancelled when the guest had switched over already: it has moved"});
  return all;
}

}  // namespace

std::vector<Announcement> announcementsOf(const Step& step, const Observed& observed) {
  if (step.phase == observed.phase && step.reason == observed.reason) return {};
  const bool entered = step.phase != observed.phase;
  if (entered && kinds::isFinal(step.phase)) return ofTheEnd(step, observed);
  if (entered && step.phase == MigrationPhase::Scheduled)
    return {{About::Move, true, "SuccessfulCreate", "Created migration target pod " + observed.target->name}};
  if (entered && step.phase == MigrationPhase::PreparingTarget)
    return {
        {About::Move, true, "SuccessfulHandOver", "Migration target pod is ready for preparation by virt-handler."}};
  if (entered && step.phase == MigrationPhase::Running)
    return {{About::Guest, true, "Migrating", "VirtualMachineInstance is migrating."}};
  if (step.reason == "Unschedulable")
    return {{About::Move, false, "migrationTargetPodUnschedulable",
             fmt::format("Migration target pod for VMI [{}] is currently unschedulable: {}", observed.instanceName,
                         explain(step, observed))}};
  if (step.reason == "Cancelling")
    return {{About::Move, true, "SuccessfulAbortMigration", "Migration is ready to be canceled by virt-handler."}};
  return {};
}

}  // namespace godwit::controllers::migration
