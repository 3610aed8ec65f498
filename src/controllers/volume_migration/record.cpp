#include "controllers/volume_migration/record.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace godwit::controllers::volume_migration {
namespace {

// What was made for the wish has been dealt with.
constexpr std::string_view kFinalizer = "godwit.io/volume-migration";

bool makesSomething(const kinds::VolumeMigration& wish) {
  const auto& volumes = wish.spec.migratedVolume;
  return wish.spec.mechanism == kinds::Mechanism::Offline ||
         std::any_of(volumes.begin(), volumes.end(), [](const auto& one) { return one.destinationClaim.empty(); });
}

void enter(kinds::VolumeMigrationStatus& status, Phase phase, Timestamp now) {
  status.phase = phase;
  status.phaseTransitionTimestamps.push_back({std::string(schema::nameOf(phase)), now});
  if (phase == Phase::Running && !status.startTimestamp) status.startTimestamp = now;
  if (kinds::isFinal(phase)) status.endTimestamp = now;
}

}  // namespace

Result<> putOnRecord(World& world, const kinds::VolumeMigration& wish, kinds::VolumeMigrationStatus status,
                     const Step& step) {
  const bool entered = step.phase != wish.status.phase;
  kinds::VolumeMigration current = wish;
  if (entered && step.phase == Phase::Scheduling && makesSomething(wish))
    current = TRY(world.client.hold(wish, kFinalizer));
  status.godwit.reason = step.reason;
  if (entered) enter(status, step.phase, world.clock.now());
  auto after = current;
  after.status = std::move(status);
  TRY(world.client.changeStatus(current, after));
  if (!entered) return {};
  const std::string& message = after.status.godwit.message;
  using enum control::Recorder::Type;
  world.recorder.record(
      wish, step.phase == Phase::Failed ? Warning : Normal, std::string(step.reason),
      message.empty() ? fmt::format("The VolumeMigration is {}.", schema::nameOf(step.phase)) : message);
  return {};
}

Result<> release(const World& world, const kinds::VolumeMigration& wish) {
  const bool ended = kinds::isFinal(wish.status.phase);  // on record, and seen there
  return ended && wish.metadata.isHeldBy(kFinalizer) ? world.client.letGo(wish, kFinalizer) : Result<>();
}

}  // namespace godwit::controllers::volume_migration
