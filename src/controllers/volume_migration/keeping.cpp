#include "controllers/volume_migration/keeping.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/time_format.hpp"
#include "controllers/claim_names.hpp"
#include "controllers/migration/decide.hpp"
#include "controllers/owner.hpp"
#include "controllers/volume_migration/destinations.hpp"

namespace godwit::controllers::volume_migration::way_back {
namespace {

using Migration = kinds::VirtualMachineInstanceMigration;

std::vector<kinds::MigratedClaim> claimsBack(const kinds::VolumeMigration& wish) {
  std::vector<kinds::MigratedClaim> claims;
  for (const kinds::MigratedVolume& volume : volumesOf(wish))
    claims.push_back({volume.destinationClaim, volume.sourceClaim});
  return claims;
}

bool isOwnedBy(const Migration& migration, const kinds::VolumeMigration& wish) {
  const auto& owners = migration.metadata.ownerReferences;
  return std::any_of(owners.begin(), owners.end(), [&](const auto& owner) { return owner.uid == wish.metadata.uid; });
}

// Somebody else's migration of the guest cannot begin while this one has it.
bool isToGo(const World& world, const kinds::VolumeMigration& wish, const kinds::VirtualMachineInstance& instance) {
  if (!instance.status.evacuationNodeName.empty()) return true;
  const auto all = world.migrations.by(index::kByInstance, object::show(instance.metadata.key()));
  return std::any_of(all.begin(), all.end(), [&](const auto& one) {
    return one->status.phase <= kinds::MigrationPhase::Pending && !one->metadata.beingDeleted() &&
           !isOwnedBy(*one, wish);
  });
}

Observed::Migration describe(const Migration& migration) {
  const auto& extra = migration.status.godwit;
  return {.inSync = extra.progress && extra.progress->stage == migration::kInSync,
          .succeeded = migration.status.phase == kinds::MigrationPhase::Succeeded,
          .failed = migration.status.phase == kinds::MigrationPhase::Failed,
          .message = extra.reason + ": " + extra.message};
}

kinds::MigrationOptions optionsFor(const kinds::VolumeMigration& wish, bool held) {
  auto options = wish.spec.options.value_or(kinds::MigrationOptions{});
  options.holdSwitchOver = held;
  return options;
}

Migration render(const kinds::VolumeMigration& wish) {
  Migration migration;
  migration.metadata.name = migrationName(wish);
  migration.metadata.nameSpace = wish.metadata.nameSpace;
  migration.metadata.ownerReferences = {ownerReference(wish)};
  migration.spec.vmiName = wish.status.virtualMachineInstanceName;
  migration.spec.migratedVolumes = claimsBack(wish);
  migration.spec.mechanism = kinds::Mechanism::InPlace;
  migration.spec.priority = kinds::MigrationPriority::UserTriggered;
  migration.spec.options = optionsFor(wish, true);
  return migration;
}

Result<> giveOptions(const World& world, const kinds::VolumeMigration& wish, const Migration& migration, bool held) {
  auto after = migration;
  after.spec.options = optionsFor(wish, held);
  if (kinds::isFinal(migration.status.phase) || after == migration) return {};
  TRY(world.client.change(migration, after));
  return {};
}

// Only the server itself says that there was none yet, and that one is still wanted.
Result<> create(const World& world, const kinds::VolumeMigration& wish) {
  const auto fresh = TRY(world.client.find<kinds::VolumeMigration>(wish.metadata.key()));
  const bool wanted = fresh && fresh->status.wayBack && fresh->status.wayBack->phase == Phase::Copying;
  return wanted && !fresh->metadata.beingDeleted() ? world.client.ensure(render(wish)) : Result<>{};
}

std::string explain(const Step& step, const kinds::WayBack& way, const kinds::VolumeMigration& wish,
                    const Observed& observed) {
  switch (step.phase) {
    case Phase::Copying:
      return "what the guest uses is copied back to the sources; from when they are equal one can go back at once";
    case Phase::Open:
      return fmt::format("until {} `godwit rollback {}` goes back to the sources, with all that was written since",
                         toRfc3339(*way.closesAt), wish.metadata.name);
    case Phase::Returning:
      return "the guest goes back to the sources";
    case Phase::Returned:
      return "the guest is back on its sources, with all that was written since";
    case Phase::Closing:
    case Phase::Closed:
      if (observed.migration && observed.migration->failed && step.reason != "TimeIsUp" && step.reason != "GuestIsToGo")
        return "one cannot go back to the sources any more: " + observed.migration->message;
      return step.reason == "GuestIsToGo" ? "one cannot go back any more: another migration takes the guest away"
                                          : "one cannot go back to the sources any more";
    case Phase::Unset:
      return "";
  }
  __builtin_unreachable();
}

}  // namespace

std::string migrationName(const kinds::VolumeMigration& wish) {
  return fmt::format("{}-{}-back", wish.metadata.name, wish.metadata.uid.substr(0, 8));
}

Observed observe(const World& world, const kinds::VolumeMigration& wish, const Scene& scene, bool moved) {
  const kinds::WayBack way = wish.status.wayBack.value_or(kinds::WayBack{});
  const auto claims = claimsBack(wish);
  const auto follows = [&](auto uses) {
    const bool guest = scene.instance ? uses(scene.instance->spec.allVolumes()) : scene.machine != nullptr;
    return guest && (!scene.machine || uses(scene.machine->spec.instance.spec.allVolumes()));
  };
  Observed seen;
  seen.phase = way.phase;
  seen.reason = way.reason;
  seen.wanted = moved && !wish.spec.keepInSync.empty() && !wish.metadata.beingDeleted();
  seen.rollBack = wish.spec.rollBack;
  seen.timeIsUp = way.closesAt && world.clock.now() >= *way.closesAt;
  seen.guestIsToGo = scene.instance && isToGo(world, wish, *scene.instance);
  seen.returned = follows([&](const auto& volumes) { return usesDestinations(volumes, claims); });
  seen.stayed = follows([&](const auto& volumes) { return usesSources(volumes, claims); });
  if (scene.migration) seen.migration = describe(*scene.migration);
  return seen;
}

void note(kinds::VolumeMigrationStatus& status, const kinds::VolumeMigration& wish, const Observed& observed,
          Timestamp now) {
  const Step step = decide(observed);
  if (step.phase == Phase::Unset) return;
  kinds::WayBack& way = status.wayBack ? *status.wayBack : status.wayBack.emplace();
  if (step.phase == Phase::Open && way.phase != Phase::Open) {
    way.openedAt = now;
    way.closesAt = now + parseDuration(wish.spec.keepInSync).value_or(Duration::zero());
  }
  const bool news = way.phase != step.phase;
  way.phase = step.phase;
  way.reason = step.reason;
  way.migrationName = migrationName(wish);
  if (news) way.message = explain(step, way, wish, observed);
}

Result<> perform(const World& world, const kinds::VolumeMigration& wish, const Scene& scene) {
  if (!wish.status.wayBack) return {};  // on record first, and seen there
  const Phase phase = wish.status.wayBack->phase;
  switch (dutyOf(phase)) {
    case Duty::Rest:
      return {};
    case Duty::Keep:
      if (!scene.migration) return phase == Phase::Copying ? create(world, wish) : Result<>{};
      return giveOptions(world, wish, *scene.migration, true);
    case Duty::Release:
      return scene.migration ? giveOptions(world, wish, *scene.migration, false) : Result<>{};
    case Duty::Remove:
      return scene.migration ? world.client.remove(*scene.migration) : Result<>{};
  }
  __builtin_unreachable();
}

std::optional<Duration> timeLeft(const kinds::VolumeMigrationStatus& status, Timestamp now) {
  if (!status.wayBack || status.wayBack->phase != Phase::Open) return std::nullopt;
  return std::max(Duration::zero(), *status.wayBack->closesAt - now);
}

}  // namespace godwit::controllers::volume_migration::way_back
