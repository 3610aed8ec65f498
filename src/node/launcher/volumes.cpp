#include "node/launcher/volumes.hpp"

#include <fmt/format.h>

#include "kinds/expansion.hpp"
#include "kinds/node.hpp"
#include "kinds/overhead.hpp"
#include "node/destination.hpp"
#include "node/disk_of_volume.hpp"
#include "node/filled.hpp"
#include "node/launcher/plugging.hpp"
#include "storage/credentials.hpp"
#include "storage/disks.hpp"

namespace godwit::node::launcher {
namespace {

std::string claimFor(const kinds::Pod& pod, const std::string& volume) {
  for (const kinds::PodVolume& candidate : pod.spec.volumes)
    if (candidate.name == volume && candidate.persistentVolumeClaim) return candidate.persistentVolumeClaim->claimName;
  return "";
}

// Where the disk's bytes come from when this pod's claim is a destination; else the claim itself.
std::string sourceClaim(const kinds::VirtualMachineInstance& instance, const std::string& volume,
                        const std::string& claim) {
  for (const auto& moved : instance.status.migratedVolumes)
    if (moved.volumeName == volume && moved.destinationPVCInfo.claimName == claim) return moved.sourcePVCInfo.claimName;
  return claim;
}

std::int64_t bytesSeen(const kinds::VirtualMachineInstance& instance, const std::string& volume) {
  for (const kinds::VolumeStatus& status : instance.status.volumeStatus)
    if (status.name == volume) return status.size;
  return 0;
}

kinds::ClaimFacts factsOf(const kinds::PersistentVolumeClaim& claim) {
  return {.claimName = claim.metadata.name,
          .accessModes = claim.spec.accessModes,
          .volumeMode = claim.spec.volumeMode,
          .requests = claim.spec.resources.requests,
          .capacity = claim.status.capacity};
}

// Why the guest may not have the claim, or nothing.
Result<std::string> obstacleIn(const Site& site, const object::Key& key, const kinds::PersistentVolumeClaim* claim) {
  if (!claim) return fmt::format("claim {} does not exist", key.name);
  if (!claim->bound()) return fmt::format("claim {} is not bound", key.name);
  return whyNotYet(site.client, key);
}

// Looks for what is behind the plug; whatever keeps it from being reached is told, and no failure.
Result<> lookBehind(const Site& site, const std::string& nameSpace, Plug& plug) {
  // It was there before the guest was.
  if (plug.disk.container) return {};
  plug.claim.claimName = plug.disk.claim;
  const object::Key key{nameSpace, plug.disk.claim};
  const auto claim = TRY(site.client.find<kinds::PersistentVolumeClaim>(key));
  if (claim) plug.claim = factsOf(*claim);
  plug.obstacle = TRY(obstacleIn(site, key, claim ? &*claim : nullptr));
  if (!plug.obstacle.empty()) return {};
  plug.volume = TRY(site.client.get<kinds::PersistentVolume>({"", claim->spec.volumeName}));
  plug.bytes = kinds::sizeOf(plug.volume);
  const auto node = TRY(site.client.find<kinds::Node>({"", site.name}));
  const auto found = diskOf(site.client, plug.volume);
  if (!found && found.error().code != Code::Invalid) return fail(found.error());
  if (!found) {
    plug.obstacle = found.error().message;
  } else if (node && !kinds::isReachedFrom(plug.volume, site.name, node->metadata.labels)) {
    plug.obstacle = fmt::format("volume {} is not reached from node {}; move the guest, or take another claim",
                                plug.volume.metadata.name, site.name);
  } else {
    plug.source = found->source;
    plug.password = found->password;
  }
  return {};
}

Result<> tellPassword(const Site& site, const hypervisor::DiskSource& source, const std::string& password) {
  const auto& login = source.remote.login;
  return login ? site.hypervisor.keepSecret(source.remote.protocol, login->secret, password) : Result<>{};
}

Result<> attach(const Site& site, const std::string& domain, const Plug& plug) {
  TRY(site.images.ensure(plug.volume, plug.bytes));
  TRY(tellPassword(site, *plug.source, plug.password));
  return site.hypervisor.attachDisk(
      domain, {.target = plug.disk.target, .bus = plug.disk.bus, .serial = plug.disk.serial, .source = *plug.source});
}

// The image of a claim that the instance uses, as large as it is to be.
Result<> prepareOwn(const Site& site, const kinds::PersistentVolume& volume,
                    const kinds::VirtualMachineInstance& instance, const std::string& name) {
  TRY(forgetOtherCopies(site, volume, diskId(instance, name)));
  TRY(site.images.ensure(volume, kinds::sizeOf(volume)));
  // Not under a guest that moves here, and has the volume open elsewhere.
  if (!kinds::isGrowing(volume) || instance.moving()) return {};
  return site.images.grow(volume, kinds::roomOn(volume));
}

Result<kinds::VirtualMachineInstance> reportFailure(const Site& site, const kinds::VirtualMachineInstance& instance,
                                                    const std::string& volume, const std::string& why) {
  auto after = instance;
  for (kinds::VolumeStatus& status : after.status.volumeStatus) {
    if (status.name != volume) continue;
    status.reason = "AttachFailed";
    status.message = why;
  }
  return site.client.change(instance, after);
}

}  // namespace

Result<std::vector<hypervisor::Disk>> prepareDisks(const Site& site, const ContainerDisks& containerDisks,
                                                   const kinds::Pod& pod,
                                                   const kinds::VirtualMachineInstance& instance) {
  std::vector<hypervisor::Disk> disks;
  const std::string& nameSpace = pod.metadata.nameSpace;
  for (const storage::WantedDisk& wanted : TRY(storage::wantedDisks(instance.spec, instance.status.volumeStatus))) {
    if (wanted.container) {
      const std::int64_t toCome = instance.moving() ? bytesSeen(instance, wanted.volume) : 0;
      const auto source = TRY(containerDisks.prepare(instance.metadata.uid, wanted, toCome));
      disks.push_back({wanted.target, wanted.bus, wanted.serial, source});
      continue;
    }
    const std::string claim = claimFor(pod, wanted.volume);
    if (claim.empty()) return fail(Code::Invalid, fmt::format("the pod has no claim for volume {}", wanted.volume));
    const auto volume = TRY(volumeOf(site.client, {nameSpace, claim}));
    const auto [source, password] = TRY(diskOf(site.client, volume));
    const std::string from = sourceClaim(instance, wanted.volume, claim);
    if (from != claim)
      TRY(prepareDestination(
          site, {.nameSpace = nameSpace, .from = from, .to = claim, .bytes = bytesSeen(instance, wanted.volume)},
          diskId(instance, wanted.volume)));
    else
      TRY(prepareOwn(site, volume, instance, wanted.volume));
    TRY(tellPassword(site, source, password));
    disks.push_back({wanted.target, wanted.bus, wanted.serial, source});
  }
  return disks;
}

// The hypervisor, when it cannot reach a disk, does not know whose it is.
std::string volumeNames(const Site& site, const kinds::Pod& pod) {
  std::vector<std::string> names;
  for (const kinds::PodVolume& mounted : pod.spec.volumes) {
    if (!mounted.persistentVolumeClaim) continue;
    const auto volume = volumeOf(site.client, {pod.metadata.nameSpace, mounted.persistentVolumeClaim->claimName});
    if (!volume) continue;
    const auto secret = storage::secretOf(*volume);
    const std::string by = secret && *secret ? fmt::format(" (Secret {})", object::show(**secret)) : "";
    names.push_back(volume->metadata.name + by);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

Result<bool> plugDisks(const Site& site, const kinds::VirtualMachineInstance& instance,
                       const std::vector<hypervisor::DiskState>& attached) {
  const auto& recorded = instance.status.volumeStatus;
  const std::string domain = kinds::domainName(instance.metadata.key());
  std::vector<Plug> plugs;
  for (const storage::WantedDisk& disk : TRY(storage::wantedDisks(instance.spec, recorded))) {
    Plug plug{.disk = disk};
    if (!isSettled(disk, recorded, attached)) {
      TRY(lookBehind(site, instance.metadata.nameSpace, plug));
      if (const auto seen = site.hypervisor.diskSize(domain, disk.target)) plug.bytes = *seen;
    }
    plugs.push_back(std::move(plug));
  }
  const Plan made = plan(plugs, attached, recorded);
  auto onRecord = instance;
  onRecord.status.volumeStatus = made.statuses;
  onRecord = TRY(site.client.change(instance, onRecord));
  for (const std::string& target : made.detach) TRY(site.hypervisor.detachDisk(domain, target));
  for (const Plug& plug : made.attach)
    if (const auto tried = attach(site, domain, plug); !tried)
      onRecord = TRY(reportFailure(site, onRecord, plug.disk.volume, tried.error().message));
  return made.settled();
}

}  // namespace godwit::node::launcher
