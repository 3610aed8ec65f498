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

// Asked of the server: a VM that has only just been told of the claim is not in every cache yet.
Result<bool> someMachineNames(const World& world, const object::Key& claim) {
  const auto listed = TRY(world.client.list(schema::kind<kinds::VirtualMachine>,
                                            {.nameSpace = claim.nameSpace, .labelSelector = "", .fieldSelector = ""}));
  return std::any_of(listed.items.begin(), listed.items.end(), [&](const object::Document& document) {
    const auto names = claimsUsedBy(schema::view<kinds::VirtualMachine>(document));
    return std::find(names.begin(), names.end(), object::show(claim)) != names.end();
  });
}

// What was copied to fill the claim is of no use without it: a DataVolume goes, and takes its claim along.
Result<> removeSource(const World& world, const kinds::PersistentVolumeClaim& claim) {
  for (const schema::OwnerReference& owner : claim.metadata.ownerReferences)
    if (owner.kind == schema::kind<kinds::DataVolume>.name)
      return world.client.remove(schema::kind<kinds::DataVolume>, {claim.metadata.nameSpace, owner.name}, owner.uid);
  return world.client.remove(claim);
}

// Whether the guest, a VM or anybody else has it, or is to. Pods of the guest that are on their way out do not count:
// the claim waits for them by itself.
Result<bool> isInUse(const World& world, const kinds::VolumeMigration& wish, const object::Key& claim) {
  const object::Key guest = {wish.metadata.nameSpace, wish.status.virtualMachineInstanceName};
  const auto instance =
      guest.name.empty() ? std::nullopt : TRY(world.client.find<kinds::VirtualMachineInstance>(guest));
  const auto names = instance ? kinds::claimNamesOf(*instance) : std::vector<std::string>();
  if (std::find(names.begin(), names.end(), claim.name) != names.end()) return true;
  if (TRY(someMachineNames(world, claim))) return true;
  return !userOf(world, claim, askerOf(wish), instance ? &*instance : nullptr).empty();
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

std::vector<kinds::MigratedClaim> claimsOf(const kinds::VolumeMigration& wish) {
  std::vector<kinds::MigratedClaim> claims;
  for (const kinds::MigratedVolume& volume : volumesOf(wish))
    claims.push_back({volume.sourceClaim, volume.destinationClaim});
  return claims;
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
    if (!claim || !isMadeFor(*claim, wish) || claim->metadata.beingDeleted()) continue;
    if (!TRY(isInUse(world, wish, key))) TRY(world.client.remove(*claim));
  }
  return {};
}

Result<> reclaimSources(const World& world, const kinds::VolumeMigration& wish) {
  if (wish.status.phase != kinds::VolumeMigrationPhase::Succeeded) return {};  // on record first, and seen there
  for (const kinds::VolumeMigrationState& volume : wish.status.volumeMigrationStates) {
    if (volume.sourceReclaimPolicy != kinds::SourceReclaimPolicy::Delete) continue;
    const object::Key key = {wish.metadata.nameSpace, volume.sourceClaim};
    const auto claim = TRY(findSurely(world, world.claims, key));
    // A claim that was given the name afterwards is somebody's new data.
    if (!claim || claim->metadata.uid != volume.sourceClaimUid || claim->metadata.beingDeleted()) continue;
    // Whoever has it by now has it for a reason.
    const auto instance = world.instances.get({wish.metadata.nameSpace, wish.status.virtualMachineInstanceName});
    if (userOf(world, key, askerOf(wish), instance.get()).empty()) TRY(removeSource(world, *claim));
  }
  return {};
}

}  // namespace godwit::controllers::volume_migration
