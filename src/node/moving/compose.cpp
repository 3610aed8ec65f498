#include "node/moving/compose.hpp"

#include <fmt/format.h>

#include "kinds/kubevirt.hpp"
#include "kinds/migration.hpp"
#include "kinds/node.hpp"
#include "kinds/words.hpp"
#include "node/container_disks.hpp"
#include "node/disk_of_volume.hpp"
#include "node/moving/route.hpp"
#include "storage/disks.hpp"

namespace godwit::node::moving {
namespace {

namespace words = kinds::words;

Result<std::string> annotation(const kinds::Node& node, std::string_view key) {
  if (const std::string value = object::valueOf(node.metadata.annotations, key); !value.empty()) return value;
  return fail(Code::Unavailable, fmt::format("node {} has no {} annotation", node.metadata.name, key));
}

std::string destinationOf(const kinds::VirtualMachineInstanceMigration& migration, const std::string& claim) {
  for (const kinds::MigratedClaim& moved : migration.spec.migratedVolumes)
    if (moved.sourceClaim == claim) return moved.destinationClaim;
  return "";
}

Result<std::vector<mover::MovedDisk>> movedDisks(const Site& site,
                                                 const kinds::VirtualMachineInstanceMigration& migration,
                                                 const kinds::VirtualMachineInstance& instance,
                                                 const kinds::Node* elsewhere) {
  std::vector<mover::MovedDisk> disks;
  for (const storage::WantedDisk& disk : TRY(storage::wantedDisks(instance.spec, instance.status.volumeStatus))) {
    if (disk.container && elsewhere) {
      const std::string directory = TRY(annotation(*elsewhere, words::kContainerDirectory));
      disks.push_back(
          mover::MovedDisk::to(disk.target, {hypervisor::DiskSource::Type::File,
                                             containerDiskFile(directory, instance.metadata.uid, disk.volume), "raw"}));
      continue;
    }
    const std::string destination = disk.container ? "" : destinationOf(migration, disk.claim);
    if (destination.empty()) continue;
    const auto volume = TRY(volumeOf(site.client, {migration.metadata.nameSpace, destination}));
    const auto place = TRY(diskOf(site.client, volume));
    disks.push_back(mover::MovedDisk::to(disk.target, place.source));
    disks.back().claim = disk.claim;
  }
  return disks;
}

Result<kinds::MigrationConfiguration> wishesOf(const client::Client& api) {
  const auto found = TRY(api.list(schema::kind<kinds::KubeVirt>));
  if (found.items.empty()) return kinds::MigrationConfiguration{};
  const auto cluster = schema::view<kinds::KubeVirt>(json::value(found.items.front()));
  return cluster.spec.configuration.value_or(kinds::ClusterConfiguration{})
      .migrations.value_or(kinds::MigrationConfiguration{});
}

// The way of a guest from node to node.
Result<mover::Orders> ordersBetween(const Site& site, const kinds::VirtualMachineInstance& instance,
                                    const kinds::Node& source, const kinds::Node& target) {
  const Route route = TRY(routeBetween(source, target, TRY(wishesOf(site.client)), site.certificateDirectory));
  mover::Orders orders;
  orders.move = instance.status.migrationState->migrationUid;
  orders.domain = kinds::domainName(instance.metadata.key());
  orders.sourceUri = TRY(annotation(source, words::kHypervisorUri));
  orders.targetUri = route.targetUri;
  orders.socketDirectory = route.socketDirectory;
  orders.address = route.address;
  orders.encrypted = route.encrypted;
  orders.targetConsoleFile = consoleFile(TRY(annotation(target, words::kConsoleDirectory)), orders.domain);
  return orders;
}

}  // namespace

Result<mover::Orders> composeOrders(const Site& site, const kinds::Pod& pod) {
  const std::string name = object::valueOf(pod.metadata.annotations, words::kMigrationJobName);
  if (name.empty()) return fail(Code::Invalid, "the pod names no migration");
  const std::string& nameSpace = pod.metadata.nameSpace;
  const auto migration = TRY(site.client.get<kinds::VirtualMachineInstanceMigration>({nameSpace, name}));
  const auto instance = TRY(site.client.get<kinds::VirtualMachineInstance>({nameSpace, migration.spec.vmiName}));
  const auto& state = instance.status.migrationState;
  if (!instance.moving() || state->migrationUid != migration.metadata.uid || state->targetNode.empty())
    return fail(Code::Conflict, "the instance is not this migration's");
  const auto source = TRY(site.client.get<kinds::Node>({"", state->sourceNode}));
  const auto target = TRY(site.client.get<kinds::Node>({"", state->targetNode}));
  mover::Orders orders = TRY(ordersBetween(site, instance, source, target));
  orders.inPlace = migration.status.godwit.mechanism == schema::nameOf(kinds::Mechanism::InPlace);
  orders.disks = TRY(movedDisks(site, migration, instance, orders.inPlace ? nullptr : &target));
  orders.verify = migration.spec.verify;
  return orders;
}

mover::Orders draftOrders(const Site& site, const kinds::VirtualMachineInstance& instance) {
  const auto& state = *instance.status.migrationState;
  mover::Orders draft;
  draft.move = state.migrationUid;
  if (state.targetNode.empty() || state.targetNode == state.sourceNode) return draft;
  const auto source = site.client.get<kinds::Node>({"", state.sourceNode});
  const auto target = site.client.get<kinds::Node>({"", state.targetNode});
  if (!source || !target) return draft;
  return ordersBetween(site, instance, *source, *target).value_or(draft);
}

}  // namespace godwit::node::moving
