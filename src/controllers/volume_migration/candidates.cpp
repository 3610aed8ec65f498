#include "controllers/volume_migration/candidates.hpp"

#include <algorithm>
#include <tuple>

#include "controllers/unfilled.hpp"
#include "kinds/expansion.hpp"
#include "kinds/overhead.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::volume_migration {
namespace {

using Claim = kinds::PersistentVolumeClaim;
using Instance = kinds::VirtualMachineInstance;
using Volume = kinds::PersistentVolume;

namespace words = kinds::words;

// A claim with what it has got so far.
struct Place {
  std::shared_ptr<const Claim> claim;
  std::shared_ptr<const Volume> volume;                     // null until it is bound
  std::shared_ptr<const kinds::StorageClass> storageClass;  // null when there is none
};

Result<Place> placeOf(const World& world, const object::Key& key) {
  Place place;
  place.claim = TRY(findSurely(world, world.claims, key));
  if (!place.claim) return place;
  if (!place.claim->spec.volumeName.empty())
    place.volume = TRY(findSurely(world, world.volumes, {"", place.claim->spec.volumeName}));
  place.storageClass = world.classes.get({"", place.claim->spec.storageClassName});
  return place;
}

// How large a disk can be on the claim: on the volume it got, or on the one it asks for until it is bound.
std::int64_t roomOn(const Place& place) {
  return place.volume ? kinds::roomOn(*place.volume) : kinds::roomAskedFor(*place.claim, place.storageClass.get());
}

// How large the disk is: of what Godwit did not make the capacity is only a word, and the guest knows better.
std::int64_t bytesOn(const Place& place, const Instance* user) {
  if (!place.claim) return 0;
  if (!place.volume) return roomOn(place);
  if (user && !kinds::isOurs(*place.volume))
    for (const kinds::VolumeStatus& status : user->status.volumeStatus)
      if (status.size > 0 && status.persistentVolumeClaimInfo &&
          status.persistentVolumeClaimInfo->claimName == place.claim->metadata.name)
        return status.size;
  return kinds::sizeOf(*place.volume);
}

bool isLun(const Place& place) {
  if (place.volume) return place.volume->spec.iscsi.has_value();
  return place.storageClass && place.storageClass->provisioner == words::kIscsiProvisioner;
}

bool leadsToTheSame(const Volume& left, const Volume& right) {
  const auto same = [](const auto& one, const auto& other) { return one && one == other; };
  const kinds::PersistentVolumeSpec& a = left.spec;
  const kinds::PersistentVolumeSpec& b = right.spec;
  return same(a.hostPath, b.hostPath) || (same(a.local, b.local) && a.nodeAffinity == b.nodeAffinity) ||
         same(a.iscsi, b.iscsi) || same(a.nfs, b.nfs) || same(a.rbd, b.rbd);
}

bool canBeWritten(const Claim& claim, const Volume* volume) {
  const auto& modes = volume ? volume->spec.accessModes : claim.spec.accessModes;
  return modes.empty() ||
         std::any_of(modes.begin(), modes.end(), [](const std::string& mode) { return mode.starts_with("ReadWrite"); });
}

Candidate::Destination describe(const World& world, const Place& destination, const Place& source) {
  Candidate::Destination seen;
  const Claim& claim = *destination.claim;
  seen.exists = true;
  seen.leaving = claim.metadata.beingDeleted() || claim.status.phase == "Lost";
  seen.readOnly = !canBeWritten(claim, destination.volume.get());
  seen.isSource = destination.volume && source.volume && leadsToTheSame(*destination.volume, *source.volume);
  if (!waitsOnlyForUser(world, claim)) seen.unfilled = unfilledBehind(world, claim);
  seen.bytes = roomOn(destination);
  return seen;
}

bool isOwn(const Asker& asker, const schema::Metadata& other) {
  if (other.uid == asker.metadata.uid || other.uid == asker.wishUid) return true;
  return std::any_of(other.ownerReferences.begin(), other.ownerReferences.end(),
                     [&](const auto& owner) { return owner.uid == asker.metadata.uid; });
}

bool wasFirst(const schema::Metadata& other, const Asker& asker) {
  const auto age = [](const schema::Metadata& one) { return std::tie(one.creationTimestamp, one.name); };
  return age(other) < age(asker.metadata);
}

bool movesTo(const kinds::VolumeMigration& wish, const std::string& claim) {
  const auto& volumes = wish.spec.migratedVolume;
  return std::any_of(volumes.begin(), volumes.end(), [&](const auto& one) { return one.destinationClaim == claim; });
}

std::string rivalFor(const World& world, const object::Key& claim, const Asker& asker) {
  for (const auto& wish : world.volumeMigrations.by(index::kByClaim, object::show(claim)))
    if (!isOwn(asker, wish->metadata) && movesTo(*wish, claim.name) &&
        (wish->status.phase > kinds::VolumeMigrationPhase::Pending || wasFirst(wish->metadata, asker)))
      return "VolumeMigration " + wish->metadata.name;
  for (const auto& migration : world.migrations.by(index::kByDestination, object::show(claim)))
    if (!isOwn(asker, migration->metadata) &&
        (migration->status.phase > kinds::MigrationPhase::Pending || wasFirst(migration->metadata, asker)))
      return "migration " + migration->metadata.name;
  return "";
}

}  // namespace

Asker askerOf(const kinds::VolumeMigration& wish) { return {wish.metadata}; }

Asker askerOf(const kinds::VirtualMachineInstanceMigration& migration) {
  const auto& owners = migration.metadata.ownerReferences;
  return {migration.metadata, owners.empty() ? "" : owners.front().uid};
}

std::string userOf(const World& world, const object::Key& claim, const Asker& asker, const Instance* own) {
  for (const auto& instance : world.instances.by(index::kByClaim, object::show(claim)))
    if (!kinds::isFinal(instance->status.phase)) return "VMI " + instance->metadata.name;
  for (const auto& instance : world.instances.by(index::kByDestination, object::show(claim)))
    if (!own || instance->metadata.uid != own->metadata.uid) return "VMI " + instance->metadata.name;
  for (const auto& pod : world.pods.by(index::kByClaim, object::show(claim)))
    if (!pod->ended() && !isOwn(asker, pod->metadata) &&
        !(own && object::valueOf(pod->metadata.labels, words::kCreatedBy) == own->metadata.uid))
      return "pod " + pod->metadata.name;
  for (const auto& machine : world.machines.by(index::kByClaim, object::show(claim)))
    if (!own || machine->metadata.name != own->metadata.name) return "VM " + machine->metadata.name;
  return rivalFor(world, claim, asker);
}

Result<Candidate> candidateFor(const World& world, const Asker& asker, const kinds::MigratedVolume& volume) {
  const std::string& nameSpace = asker.metadata.nameSpace;
  Candidate found{.volume = volume, .instance = {}, .destination = {}};
  for (const auto& instance : world.instances.by(index::kByClaim, object::show({nameSpace, volume.sourceClaim})))
    if (!kinds::isFinal(instance->status.phase)) found.instance = instance;
  const Place source = TRY(placeOf(world, {nameSpace, volume.sourceClaim}));
  if (source.claim) found.sourceUid = source.claim->metadata.uid;
  found.sourceBytes = bytesOn(source, found.instance.get());
  if (!volume.destinationStorageClass.empty()) {
    const auto storageClass = TRY(findSurely(world, world.classes, {"", volume.destinationStorageClass}));
    found.betweenLuns = isLun(source) && isLun({.claim = {}, .volume = {}, .storageClass = storageClass});
    found.destination.toBeMade = true;
    found.destination.classExists = storageClass != nullptr;
    return found;
  }
  const object::Key key = {nameSpace, volume.destinationClaim};
  const Place destination = TRY(placeOf(world, key));
  if (!destination.claim) return found;
  found.betweenLuns = isLun(source) && isLun(destination);
  found.destination = describe(world, destination, source);
  found.destination.user = userOf(world, key, asker, found.instance.get());
  return found;
}

}  // namespace godwit::controllers::volume_migration
