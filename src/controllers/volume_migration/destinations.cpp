#include "controllers/volume_migration/destinations.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "controllers/claim_form.hpp"
#include "controllers/volume_migration/candidates.hpp"
#include "kinds/claim_use.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::volume_migration {
namespace {

// A name may have 253 letters; what is cut off of a longer one the UID makes up for.
constexpr std::size_t kLettersOfSource = 160;
constexpr std::size_t kLettersOfClass = 80;

bool isMadeFor(const kinds::PersistentVolumeClaim& claim, const kinds::VolumeMigration& wish) {
  return object::valueOf(claim.metadata.labels, kinds::words::kMadeFor) == wish.metadata.uid;
}

Result<> makeDestination(const World& world, const kinds::VolumeMigration& wish, const kinds::MigratedVolume& volume) {
  const std::string& nameSpace = wish.metadata.nameSpace;
  if (const auto made = TRY(findSurely(world, world.claims, {nameSpace, volume.destinationClaim}))) {
    if (isMadeFor(*made, wish)) return {};
    return fail(Code::Conflict, fmt::format("claim {} is there, and was not made for this", volume.destinationClaim));
  }
  const auto source = TRY(world.client.get<kinds::PersistentVolumeClaim>({nameSpace, volume.sourceClaim}));
  const auto storageClass = TRY(world.client.get<kinds::StorageClass>({"", volume.destinationStorageClass}));
  const Candidate candidate = TRY(candidateFor(world, askerOf(wish), volume));
  return world.client.ensure(renderDestination(wish, volume, source, candidate.sourceBytes, storageClass));
}

}  // namespace

std::vector<kinds::MigratedVolume> volumesOf(const kinds::VolumeMigration& wish) {
  std::vector<kinds::MigratedVolume> volumes = wish.spec.migratedVolume;
  for (kinds::MigratedVolume& volume : volumes)
    if (volume.destinationClaim.empty())
      volume.destinationClaim =
          fmt::format("{}-{}-{}", volume.sourceClaim.substr(0, kLettersOfSource),
                      volume.destinationStorageClass.substr(0, kLettersOfClass), wish.metadata.uid.substr(0, 8));
  return volumes;
}

kinds::PersistentVolumeClaim renderDestination(const kinds::VolumeMigration& wish, const kinds::MigratedVolume& volume,
                                               const kinds::PersistentVolumeClaim& source, std::int64_t bytes,
                                               const kinds::StorageClass& storageClass) {
  kinds::PersistentVolumeClaim claim;
  claim.metadata.name = volume.destinationClaim;
  claim.metadata.nameSpace = wish.metadata.nameSpace;
  claim.metadata.labels = source.metadata.labels;
  claim.metadata.labels[std::string(kinds::words::kMadeFor)] = wish.metadata.uid;
  claim.spec.storageClassName = storageClass.metadata.name;
  claim.spec.volumeMode = source.spec.volumeMode;
  claim.spec.resources.requests["storage"] = formatBytes(bytes);
  fillIn(claim.spec, &storageClass);
  return claim;
}

Result<> makeDestinations(const World& world, const kinds::VolumeMigration& wish) {
  for (const kinds::MigratedVolume& volume : volumesOf(wish))
    if (!volume.destinationStorageClass.empty()) TRY(makeDestination(world, wish, volume));
  return {};
}

Result<> removeDestinations(const World& world, const kinds::VolumeMigration& wish) {
  for (const kinds::MigratedVolume& volume : volumesOf(wish)) {
    if (volume.destinationStorageClass.empty()) continue;
    const object::Key key = {wish.metadata.nameSpace, volume.destinationClaim};
    const auto claim = TRY(world.client.find<kinds::PersistentVolumeClaim>(key));
    const bool ours = claim && isMadeFor(*claim, wish) && !claim->metadata.beingDeleted();
    const auto instance = ours ? TRY(world.client.find<kinds::VirtualMachineInstance>(
                                     {wish.metadata.nameSpace, wish.status.virtualMachineInstanceName}))
                               : std::nullopt;
    const auto names = instance ? kinds::claimNamesOf(*instance) : std::vector<std::string>();
    const bool used = std::find(names.begin(), names.end(), key.name) != names.end();
    if (ours && !used && userOf(world, key, askerOf(wish), nullptr).empty()) TRY(world.client.remove(*claim));
  }
  return {};
}

}  // namespace godwit::controllers::volume_migration
