#include "controllers/volume/reconciler.hpp"

#include "controllers/claim_users.hpp"
#include "kinds/claim_use.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::volume {
namespace {

namespace words = kinds::words;

Result<Observed> observe(const World& world, const kinds::PersistentVolume& volume) {
  const auto& made = volume.metadata.annotations;
  Observed observed{.beingDeleted = volume.metadata.beingDeleted(),
                    .claimed = volume.spec.claimRef && !volume.spec.claimRef->uid.empty(),
                    .claimExists = false,
                    .claimNamesIt = false,
                    .inUse = false,
                    .deleteWhenReleased = volume.spec.persistentVolumeReclaimPolicy == "Delete",
                    .madeByUs = made.contains(std::string(words::kProvisionedBy))};
  if (!observed.claimed) return observed;
  const object::Key key = {volume.spec.claimRef->nameSpace, volume.spec.claimRef->name};
  const auto claim = TRY(findSurely(world, world.claims, key));
  observed.claimExists = claim && claim->metadata.uid == volume.spec.claimRef->uid;
  observed.claimNamesIt = observed.claimExists && claim->spec.volumeName == volume.metadata.name;
  // Whoever came after another claim of that name is that one's user.
  if (!observed.claimExists)
    observed.inUse = !TRY(whoUses(world, key, claim ? claim->metadata.creationTimestamp : std::nullopt)).empty();
  return observed;
}

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  controller.follow(world.volumes);
  // A claim may be gone before anybody has seen which volume it named: the volume says whom it is kept for.
  world.claims.onChange([&](const kinds::PersistentVolumeClaim* before, const kinds::PersistentVolumeClaim* after) {
    const object::Key key = (after ? after : before)->metadata.key();
    for (const auto& volume : world.volumes.by(index::kByClaim, object::show(key)))
      controller.enqueue(volume->metadata.key());
  });
  // Who uses a volume matters once its claim is gone.
  const auto userChanged = [&](const auto* before, const auto* after) {
    const auto& user = after ? *after : *before;
    for (const std::string& name : kinds::claimNamesOf(before ? *before : user))
      for (const auto& volume : world.volumes.by(index::kByClaim, object::show({user.metadata.nameSpace, name})))
        if (volume->metadata.beingDeleted() || volume->status.phase == kReleased)
          controller.enqueue(volume->metadata.key());
  };
  world.pods.onChange(userChanged);
  world.instances.onChange(userChanged);
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  auto volume = world_.volumes.get(key);
  if (!volume) return control::Again{};
  if (!volume->metadata.beingDeleted() && !volume->metadata.isHeldBy(words::kVolumeProtection))
    volume =
        std::make_shared<const kinds::PersistentVolume>(TRY(world_.client.hold(*volume, words::kVolumeProtection)));
  const Step step = decide(TRY(observe(world_, *volume)));
  auto after = *volume;
  if (!step.phase.empty()) after.status.phase = step.phase;
  TRY(world_.client.changeStatus(*volume, after));
  switch (step.duty) {
    case Duty::Rest:
      break;
    case Duty::Delete:
      TRY(world_.client.remove(*volume));
      break;
    case Duty::LetGo:
      std::erase(after.metadata.finalizers, words::kVolumeProtection);
      // As it was seen: a claim that gets it in the same moment makes this a conflict.
      TRY(world_.client.change(*volume, after));
      break;
  }
  return control::Again{};
}

}  // namespace godwit::controllers::volume
