#include "node/volume_reconciler.hpp"

#include <algorithm>

#include "kinds/expansion.hpp"
#include "kinds/words.hpp"

namespace godwit::node {
namespace {

namespace words = kinds::words;

bool waitsForUs(const kinds::PersistentVolume& volume) {
  const auto& finalizers = volume.metadata.finalizers;
  return volume.metadata.beingDeleted() &&
         std::find(finalizers.begin(), finalizers.end(), words::kVolumeFinalizer) != finalizers.end();
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
  TRY(site_.images.remove(*volume));
  TRY(site_.client.letGo(*volume, words::kVolumeFinalizer));
  return control::Again{};
}

}  // namespace godwit::node
