#include "controllers/volume_migration/offline/judge.hpp"

#include <set>

#include <fmt/format.h>

#include "controllers/unfilled.hpp"

namespace godwit::controllers::volume_migration::offline {
namespace {

using kinds::VolumeValidation;

std::string whoElseCopies(const World& world, const kinds::VolumeMigration& wish, const object::Key& claim) {
  for (const auto& other : world.volumeMigrations.by(index::kByClaim, object::show(claim)))
    if (other->metadata.uid != wish.metadata.uid && kinds::holdsClaim(*other, claim.name)) return other->metadata.name;
  return "";
}

std::string whatKeeps(const World& world, const kinds::VolumeMigration& wish, const Resting& resting,
                      const kinds::PersistentVolumeClaim* claim) {
  const std::string& name = resting.candidate.volume.sourceClaim;
  if (!claim) return fmt::format("Claim {} does not exist", name);
  if (claim->metadata.beingDeleted()) return fmt::format("Claim {} is being deleted", name);
  if (const auto& instance = resting.candidate.instance)
    return fmt::format("VMI {} uses the volume; it is copied when that has stopped", instance->metadata.name);
  if (!claim->bound()) return fmt::format("Claim {} has no volume yet, so there is nothing to copy", name);
  if (std::string unfilled = unfilledBehind(world, *claim); !unfilled.empty()) return unfilled;
  if (const std::string other = whoElseCopies(world, wish, claim->metadata.key()); !other.empty())
    return fmt::format("VolumeMigration {} copies claim {}", other, name);
  return resting.candidate.destination.unfilled;
}

std::string objectionTo(const Resting& volume) {
  for (const auto& machine : volume.machines)
    if (const auto objection = objectionToUse(volume.candidate, machine->spec.instance.spec); !objection.empty())
      return std::string(objection);
  return volume_migration::objectionTo(volume.candidate);
}

}  // namespace

Result<Resting> restingFor(const World& world, const kinds::VolumeMigration& wish,
                           const kinds::MigratedVolume& volume) {
  const object::Key source = {wish.metadata.nameSpace, volume.sourceClaim};
  Resting resting;
  resting.candidate = TRY(candidateFor(world, askerOf(wish), volume));
  resting.machines = world.machines.by(index::kByClaim, object::show(source));
  const auto claim = TRY(findSurely(world, world.claims, source));
  if (claim) resting.sourceUid = claim->metadata.uid;
  resting.waitsFor = whatKeeps(world, wish, resting, claim.get());
  return resting;
}

Verdict judge(const std::vector<Resting>& volumes) {
  std::set<std::string> machines;
  for (const Resting& volume : volumes)
    for (const auto& machine : volume.machines) machines.insert(machine->metadata.name);
  Verdict verdict;
  for (const Resting& volume : volumes) {
    kinds::VolumeMigrationState state;
    static_cast<kinds::MigratedVolume&>(state) = volume.candidate.volume;
    state.reason = machines.size() > 1 ? std::string(kMultipleMachines) : objectionTo(volume);
    if (!state.reason.empty()) {
      state.validation = VolumeValidation::Rejected;
    } else if (!volume.waitsFor.empty()) {
      state.validation = VolumeValidation::Pending;
      state.reason = volume.waitsFor;
    }
    verdict.states.push_back(std::move(state));
  }
  if (verdict.allValid())
    for (std::size_t i = 0; i < volumes.size(); ++i) verdict.states[i].sourceClaimUid = volumes[i].sourceUid;
  return verdict;
}

std::string diskOn(const Resting& volume) {
  for (const auto& machine : volume.machines)
    for (const kinds::VolumeSpec& one : machine->spec.instance.spec.allVolumes())
      if (one.claim() == volume.candidate.volume.sourceClaim)
        return fmt::format("{}/{}", machine->metadata.uid, one.name);
  return volume.sourceUid;
}

}  // namespace godwit::controllers::volume_migration::offline
