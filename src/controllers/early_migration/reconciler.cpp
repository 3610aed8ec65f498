#include "controllers/early_migration/reconciler.hpp"

#include <fmt/format.h>

#include "controllers/new_migration.hpp"
#include "controllers/owner.hpp"

namespace godwit::controllers::early_migration {
namespace {

using kinds::EarlyMigration;

std::string nameOfMigration(const EarlyMigration& wish) {
  return fmt::format("{}-{}", wish.metadata.name, wish.metadata.uid.substr(0, 8));
}

// Unknown until it is over.
kinds::Condition outcome(const Step& step, const std::string& message) {
  const bool over = kinds::isFinal(step.phase);
  return {.type = "Succeeded",
          .status = !over                            ? "Unknown"
                    : step.phase == Phase::Succeeded ? "True"
                                                     : "False",
          .reason = std::string(step.reason),
          .message = message,
          .lastTransitionTime = {}};
}

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  controller.follow(world.earlyMigrations);
  world.migrations.onChange([&](const auto* before, const auto* after) {
    const auto& metadata = (after ? after : before)->metadata;
    for (const auto& owner : metadata.ownerReferences)
      if (owner.kind == schema::kind<EarlyMigration>.name) controller.enqueue({metadata.nameSpace, owner.name});
  });
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  const auto wish = world_.earlyMigrations.get(key);
  if (!wish) return control::Again{};
  Observed observed;
  observed.phase = wish->status.phase;
  observed.reason = wish->status.godwit.reason;
  observed.beingDeleted = wish->metadata.beingDeleted();
  if (const auto migration = TRY(findSurely(world_, world_.migrations, {key.nameSpace, nameOfMigration(*wish)}))) {
    const auto& status = migration->status;
    observed.migration = Observed::Migration{status.phase, status.godwit.reason, status.godwit.message};
  }
  const Step step = decide(observed);
  TRY(record(*wish, observed, step));
  if (dutyOf(step.phase, observed) == Duty::CreateMigration) TRY(createMigration(*wish));
  return control::Again{};
}

Result<> Reconciler::record(const EarlyMigration& wish, const Observed& observed, const Step& step) const {
  if (kinds::isFinal(wish.status.phase)) return {};
  auto after = wish;
  auto& status = after.status;
  status.phase = step.phase;
  status.godwit.reason = step.reason;
  status.godwit.migration = nameOfMigration(wish);
  if (observed.migration) {
    status.godwit.message = observed.migration->message;
    if (step.phase == Phase::Failed || step.phase == Phase::Pending) status.godwit.reason = observed.migration->reason;
  }
  kinds::setCondition(status.conditions, outcome({step.phase, status.godwit.reason}, status.godwit.message),
                      world_.clock.now());
  TRY(world_.client.changeStatus(wish, after));
  return {};
}

Result<> Reconciler::createMigration(const EarlyMigration& wish) const {
  // A cache may not have seen this controller's own last word yet; what has ended must not be begun anew.
  const auto fresh = TRY(world_.client.find<EarlyMigration>(wish.metadata.key()));
  const bool wanted = fresh && fresh->metadata.uid == wish.metadata.uid && fresh->status.phase == Phase::Pending &&
                      !fresh->metadata.beingDeleted();
  if (!wanted) return {};
  auto migration = newMigration(wish.metadata.nameSpace, nameOfMigration(wish), wish.spec.selector.name);
  migration.metadata.ownerReferences = {ownerReference(wish)};
  migration.spec.addedNodeSelector = wish.spec.nodeSelector;
  return world_.client.ensure(migration);
}

}  // namespace godwit::controllers::early_migration
