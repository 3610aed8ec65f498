#include "node/volume_reconciler.hpp"

#include <algorithm>

#include "kinds/words.hpp"

namespace godwit::node {
namespace {

namespace words = kinds::words;

bool waitsForUs(const kinds::PersistentVolume& volume) {
  const auto& finalizers = volume.metadata.finalizers;
  return volume.metadata.beingDeleted() &&
         std::find(finalizers.begin(), finalizers.end(), words::kVolumeFinalizer) != finalizers.end();
}

}  // namespace

bool VolumeReconciler::isReachedFromHere(const kinds::PersistentVolume& volume) const {
  return kinds::isReachedFrom(volume, site_.name, {{std::string(words::kHostname), site_.name}});
}

void VolumeReconciler::listen(Site& site, control::Controller& controller) {
  site.volumes.onChange([&](const kinds::PersistentVolume*, const kinds::PersistentVolume* after) {
    if (after && waitsForUs(*after)) controller.enqueue(after->metadata.key());
  });
}

Result<control::Again> VolumeReconciler::reconcile(const object::Key& key) {
  const auto cached = site_.volumes.get(key);
  if (!cached || !waitsForUs(*cached) || !isReachedFromHere(*cached)) return control::Again{};
  const auto volume = TRY(site_.client.find<kinds::PersistentVolume>(key));
  if (!volume || !waitsForUs(*volume)) return control::Again{};
  TRY(site_.images.remove(*volume));
  TRY(site_.client.letGo(*volume, words::kVolumeFinalizer));
  return control::Again{};
}

}  // namespace godwit::node
