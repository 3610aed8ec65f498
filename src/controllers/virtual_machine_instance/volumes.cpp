#include "controllers/virtual_machine_instance/volumes.hpp"

#include <fmt/format.h>

#include "controllers/node_search.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::virtual_machine_instance {
namespace {

constexpr std::string_view kRequirement =
    "live migration requires that all PVCs must be shared (using ReadWriteMany access mode)";

// One that every node reaches says nothing of nodes at all.
bool isShared(const World& world, const kinds::PersistentVolume& volume) {
  if (!volume.spec.nodeAffinity) return true;
  const auto one = findNode(world, volume.spec.nodeAffinity->required, [](const kinds::Node&) { return true; });
  const auto isAnother = [&](const kinds::Node& node) { return node.metadata.name != one->metadata.name; };
  return one && findNode(world, volume.spec.nodeAffinity->required, isAnother);
}

Result<Reach> reachOf(const World& world, const object::Key& key) {
  Reach reach{.claim = key.name, .shared = {}};
  const auto claim = TRY(findSurely(world, world.claims, key));
  if (!claim || !claim->bound()) return reach;
  const auto volume = TRY(findSurely(world, world.volumes, {"", claim->spec.volumeName}));
  if (volume) reach.shared = isShared(world, *volume);
  return reach;
}

std::string obstacleIn(const std::vector<Reach>& claims) {
  for (const Reach& reach : claims) {
    if (!reach.shared)
      return fmt::format("cannot migrate VMI: Unable to determine if PVC {} is shared, {}", reach.claim, kRequirement);
    if (!*reach.shared) return fmt::format("cannot migrate VMI: PVC {} is not shared, {}", reach.claim, kRequirement);
  }
  return "";
}

}  // namespace

void describeMobility(kinds::VirtualMachineInstanceStatus& status, const std::vector<Reach>& claims, Timestamp now) {
  const std::string obstacle = obstacleIn(claims);
  const bool free = obstacle.empty();
  kinds::setCondition(status.conditions,
                      {.type = "LiveMigratable",
                       .status = free ? "True" : "False",
                       .reason = free ? "" : "DisksNotLiveMigratable",
                       .message = obstacle,
                       .lastTransitionTime = {}},
                      now);
  kinds::setCondition(
      status.conditions,
      {.type = "StorageLiveMigratable", .status = "True", .reason = "", .message = "", .lastTransitionTime = {}}, now);
  status.migrationMethod = free ? "LiveMigration" : "BlockMigration";
}

Result<> describeMobility(const World& world, kinds::VirtualMachineInstance& instance) {
  std::vector<Reach> claims;
  for (const kinds::VolumeSpec& volume : instance.spec.allVolumes())
    if (!volume.claim().empty()) claims.push_back(TRY(reachOf(world, {instance.metadata.nameSpace, volume.claim()})));
  describeMobility(instance.status, claims, world.clock.now());
  return {};
}

Result<> chooseNodeForPlugs(const World& world, const kinds::VirtualMachineInstance& instance) {
  for (const kinds::VolumeSpec& volume : instance.spec.volumes) {
    if (!volume.hotpluggable()) continue;
    const auto claim = TRY(findSurely(world, world.claims, {instance.metadata.nameSpace, volume.claim()}));
    if (!claim || claim->bound() || !claim->spec.volumeName.empty()) continue;
    const auto storageClass = world.classes.get({"", claim->spec.storageClassName});
    if (!storageClass || !storageClass->waitsForConsumer()) continue;
    auto after = *claim;
    after.metadata.annotations.try_emplace(std::string(kinds::words::kSelectedNode), instance.status.nodeName);
    TRY(world.client.change(*claim, after));
  }
  return {};
}

}  // namespace godwit::controllers::virtual_machine_instance
