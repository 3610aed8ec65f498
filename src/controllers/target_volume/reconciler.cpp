#include "controllers/target_volume/reconciler.hpp"

#include <algorithm>

#include "controllers/migration/following.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::target_volume {
namespace {

bool isOfDataVolume(const kinds::PersistentVolumeClaim& claim) {
  const auto& owners = claim.metadata.ownerReferences;
  return std::any_of(owners.begin(), owners.end(), [&](const auto& owner) {
    return owner.kind == schema::kind<kinds::DataVolume>.name && owner.name == claim.metadata.name;
  });
}

}  // namespace

void Reconciler::listen(World& world, control::Controller& controller) {
  controller.follow(world.machines);
  controller.follow(world.instances);
}

// The server itself is asked as soon as there is a wish: what has been moved must not be moved again by a late cache.
Result<control::Again> Reconciler::reconcile(const object::Key& key) {
  const auto cached = world_.machines.get(key);
  if (!cached || cached->metadata.beingDeleted() ||
      object::valueOf(cached->metadata.annotations, kinds::words::kClaimTemplates).find("targetVolume") ==
          std::string::npos)
    return control::Again{};
  const auto machine = world_.client.get(schema::kind<kinds::VirtualMachine>, key);
  if (!machine && machine.error().code == Code::NotFound) return control::Again{};
  if (!machine) return fail(machine.error());
  if (targetsOf(*machine).empty()) return control::Again{};
  const Observed observed = TRY(observe(*machine));
  TRY(migration::follow(world_, {*machine, decide(*machine, observed)}));
  return control::Again{};
}

Result<Observed> Reconciler::observe(const object::Document& machine) const {
  Observed seen;
  const object::Key key = object::keyOf(machine);
  if (const auto instance = TRY(world_.client.find<kinds::VirtualMachineInstance>(key))) {
    seen.guest = instance->spec;
    seen.runs = instance->status.phase == kinds::InstancePhase::Running && !instance->metadata.beingDeleted();
  }
  seen.onTheWay = schema::view<kinds::VirtualMachine>(json::value(machine)).status.volumeUpdateState.has_value();
  for (const std::string& target : targetsOf(machine)) {
    const auto claim = TRY(world_.client.find<kinds::PersistentVolumeClaim>({key.nameSpace, target}));
    if (!claim) continue;
    if (isOfDataVolume(*claim)) seen.ofDataVolumes.insert(target);
    seen.targets.emplace(target, *claim);
  }
  return seen;
}

}  // namespace godwit::controllers::target_volume
