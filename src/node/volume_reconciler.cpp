#include "node/volume_reconciler.hpp"

#include <algorithm>

#include "kinds/expansion.hpp"
#include "kinds/words.hpp"
#include "storage/disks.hpp"

namespace godwit::node {
namespace {

namespace words = kinds::words;

using namespace std::chrono_literals;

// What ends a wait - a claim that goes, a guest that ends - does not change the volume, so no event tells.
constexpr Duration kLookAgain = 1s;

bool waitsForUs(const kinds::PersistentVolume& volume) {
  return volume.metadata.beingDeleted() && volume.metadata.isHeldBy(words::kVolumeFinalizer) &&
         !volume.metadata.isHeldBy(words::kVolumeProtection);
}

bool concernsUs(const kinds::PersistentVolume& volume) { return waitsForUs(volume) || kinds::isGrowing(volume); }

}  // namespace

bool VolumeReconciler::isReachedFromHere(const kinds::PersistentVolume& volume) const {
  return kinds::isReachedFrom(volume, site_.name, {{std::string(words::kHostname), site_.name}});
}

void VolumeReconciler::listen(Site& site, control::Controller& controller) {
  site.volumes.onChange([&](const kinds::PersistentVolume*, const kinds::PersistentVolume* after) {
    if (after && concernsUs(*after)) controller.enqueue(after->metadata.key());
  });
}

Result<control::Again> VolumeReconciler::reconcile(const object::Key& key) {
  const auto cached = site_.volumes.get(key);
  if (!cached || !concernsUs(*cached) || !isReachedFromHere(*cached)) return control::Again{};
  const auto volume = TRY(site_.client.find<kinds::PersistentVolume>(key));
  if (!volume || !concernsUs(*volume)) return control::Again{};
  if (!waitsForUs(*volume)) return growing_.reconcile(*volume);
  if (TRY(isNeeded(*volume))) return control::Again{.after = kLookAgain};
  TRY(site_.images.remove(*volume));
  TRY(site_.client.letGo(*volume, words::kVolumeFinalizer));
  return control::Again{};
}

// Its claim went before its protection did, and guests before the claim - unless somebody has helped with force.
Result<bool> VolumeReconciler::isNeeded(const kinds::PersistentVolume& volume) const {
  if (const auto& kept = volume.spec.claimRef; kept && !kept->uid.empty()) {
    const auto claim = TRY(site_.client.find<kinds::PersistentVolumeClaim>({kept->nameSpace, kept->name}));
    if (claim && claim->metadata.uid == kept->uid) return true;
  }
  const auto bytes = TRY(storage::locate(volume));
  const auto domains = TRY(site_.hypervisor.list());
  return std::any_of(domains.begin(), domains.end(), [&](const hypervisor::DomainState& domain) {
    return std::any_of(domain.disks.begin(), domain.disks.end(), [&](const hypervisor::DiskState& disk) {
      return disk.source.sameBytes(bytes) || (disk.mirror && disk.mirror->destination.sameBytes(bytes));
    });
  });
}

}  // namespace godwit::node
