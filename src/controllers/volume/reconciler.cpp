#include "controllers/volume/reconciler.hpp"

#include "kinds/words.hpp"

namespace godwit::controllers::volume {
namespace {

Result<Observed> observe(const World& world, const kinds::PersistentVolume& volume) {
  const auto& made = volume.metadata.annotations;
  Observed observed{.beingDeleted = volume.metadata.beingDeleted(),
                    .claimed = volume.spec.claimRef && !volume.spec.claimRef->uid.empty(),
                    .claimExists = false,
                    .claimNamesIt = false,
                    .deleteWhenReleased = volume.spec.persistentVolumeReclaimPolicy == "Delete",
                    .madeByUs = made.contains(std::string(kinds::words::kProvisionedBy))};
  if (!observed.claimed) return observed;
  const object::Key key = {volume.spec.claimRef->nameSpace, volume.spec.claimRef->name};
  const auto claim = TRY(findSurely(world, world.claims, key));
  observed.claimExists = claim && claim->metadata.uid == volume.spec.claimRef->uid;
  observed.claimNamesIt = observed.claimExists && claim->spec.volumeName == volume.metadata.name;
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
}

Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  const auto volume = world_.volumes.get(key);
  if (!volume) return control::Again{};
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
  }
  return control::Again{};
}

}  // namespace godwit::controllers::volume
