#include "node/importing/compose.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/base64.hpp"
#include "kinds/core.hpp"
#include "kinds/data_volume.hpp"
#include "kinds/expansion.hpp"
#include "kinds/overhead.hpp"
#include "kinds/words.hpp"
#include "node/destination.hpp"
#include "node/disk_of_volume.hpp"
#include "node/importing/owner.hpp"
#include "storage/sparse_file.hpp"

namespace godwit::node::importing {
namespace {

namespace words = kinds::words;

Result<std::string> secretValue(const kinds::Secret& secret, const std::string& key) {
  const auto found = secret.data.find(key);
  if (found == secret.data.end())
    return fail(Code::Unavailable, fmt::format("secret {} has no {}", secret.metadata.name, key));
  return decodeBase64(found->second);
}

// What a download and a container image have in common.
template <class Source>
Result<importer::Download> composeDownload(const Site& site, const std::string& nameSpace, const Source& source) {
  importer::Download download{.url = source.url};
  if constexpr (requires { source.checksum; }) download.checksum = source.checksum;
  if (!source.secretRef.empty()) {
    const auto secret = TRY(site.client.get<kinds::Secret>({nameSpace, source.secretRef}));
    download.user = TRY(secretValue(secret, "accessKeyId"));
    download.password = TRY(secretValue(secret, "secretKey"));
  }
  if (!source.certConfigMap.empty()) {
    const auto authorities = TRY(site.client.get<kinds::ConfigMap>({nameSpace, source.certConfigMap}));
    for (const auto& [name, certificate] : authorities.data) download.certificates += certificate + "\n";
  }
  return download;
}

// The pod is there, so a guest that starts from now on waits for it.
Result<> ensureUnused(const Site& site, const object::Key& claim) {
  const auto instances =
      TRY(site.client.list(schema::kind<kinds::VirtualMachineInstance>,
                           {.nameSpace = claim.nameSpace, .labelSelector = "", .fieldSelector = ""}));
  for (const object::Document& document : instances.items) {
    const auto instance = schema::view<kinds::VirtualMachineInstance>(document);
    const auto volumes = instance.spec.allVolumes();
    const bool uses = std::any_of(volumes.begin(), volumes.end(),
                                  [&](const kinds::VolumeSpec& volume) { return volume.claim() == claim.name; });
    if (uses && !kinds::isFinal(instance.status.phase))
      return fail(Code::Conflict, fmt::format("VMI {} uses claim {}", instance.metadata.name, claim.name));
  }
  return {};
}

// The pod is on record, so a claim whose deletion is asked for from now on stays until it has ended.
Result<kinds::PersistentVolume> volumeThatStays(const Site& site, const object::Key& key) {
  const auto claim = TRY(site.client.get<kinds::PersistentVolumeClaim>(key));
  if (claim.metadata.beingDeleted())
    return fail(Code::Unavailable, fmt::format("persistentvolumeclaim \"{}\" is being deleted", key.name));
  return volumeOf(site.client, key);
}

Result<storage::Place> placeOf(const Site& site, const kinds::PersistentVolume& volume) {
  const auto disk = TRY(diskOf(site.client, volume));
  const auto& remote = disk.source.remote;
  const bool plain = remote.protocol == hypervisor::Protocol::Iscsi && !remote.login;
  if (disk.source.type != hypervisor::DiskSource::Type::Network || plain) return storage::Place::of(disk.source);
  return fail(Code::Invalid,
              fmt::format("volume {} is on NFS, in Ceph or behind a login, where no importer goes; fill a file, a "
                          "device or a plain LUN, and move the volume afterwards",
                          volume.metadata.name));
}

Result<storage::Place> composeOriginal(const Site& site, const object::Key& claim) {
  TRY(ensureUnused(site, claim));
  const auto volume = TRY(volumeThatStays(site, claim));
  // A volume that no guest has used yet may have no image.
  TRY(site.images.ensure(volume, kinds::roomOn(volume)));
  return placeOf(site, volume);
}

std::string claimCalled(const kinds::Pod& pod, std::string_view name) {
  for (const kinds::PodVolume& volume : pod.spec.volumes)
    if (volume.name == name && volume.persistentVolumeClaim) return volume.persistentVolumeClaim->claimName;
  return "";
}

// A disk changes its claim while no guest has it. What is copied has all the room that there is.
Result<importer::Orders> composeMove(const Site& site, const kinds::Pod& pod) {
  const std::string& nameSpace = pod.metadata.nameSpace;
  const Claims claims{.nameSpace = nameSpace, .from = claimCalled(pod, "original"), .to = claimCalled(pod, "target")};
  importer::Orders orders;
  orders.errand = pod.metadata.uid;
  orders.original = TRY(composeOriginal(site, {nameSpace, claims.from}));
  orders.target = TRY(placeOf(site, TRY(volumeThatStays(site, {nameSpace, claims.to}))));
  const auto ground = TRY(claimGround(site, claims, object::valueOf(pod.metadata.annotations, words::kCopyOf)));
  const std::int64_t room = kinds::roomOn(ground.volume);
  orders.targetBytes = storage::wholeSectors(room);
  if (kinds::sizeOf(ground.volume) != room)
    TRY(site.client.change(ground.volume, kinds::withSize(ground.volume, room)));
  if (!orders.target.isFile()) TRY(site.images.ensure(ground.volume, orders.targetBytes));
  return orders;
}

}  // namespace

Result<importer::Orders> composeOrders(const Site& site, const kinds::Pod& pod) {
  if (isMove(pod)) return composeMove(site, pod);
  const std::string& nameSpace = pod.metadata.nameSpace;
  const auto filled = TRY(site.client.get<kinds::DataVolume>(ownerOf(pod)));
  const auto volume = TRY(volumeThatStays(site, filled.metadata.key()));
  importer::Orders orders;
  orders.errand = pod.metadata.uid;
  orders.target = TRY(placeOf(site, volume));
  orders.targetBytes = storage::wholeSectors(kinds::roomOn(volume));
  // A file is made by the importer, and gets its name when it is whole.
  if (!orders.target.isFile()) TRY(site.images.ensure(volume, orders.targetBytes));
  const auto& source = filled.spec.source;
  if (source.http) orders.download = TRY(composeDownload(site, nameSpace, *source.http));
  if (source.registry) orders.image.emplace().from = TRY(composeDownload(site, nameSpace, *source.registry));
  if (source.pvc) orders.original = TRY(composeOriginal(site, {nameSpace, source.pvc->name}));
  orders.upload = source.upload.has_value();
  return orders;
}

}  // namespace godwit::node::importing
