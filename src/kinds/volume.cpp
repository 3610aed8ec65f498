#include "kinds/volume.hpp"

#include <algorithm>

#include "base/quantity.hpp"

namespace godwit::kinds {

bool offersWhatIsAsked(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  const auto& offered = volume.spec.accessModes;
  const auto offers = [&](const std::string& mode) {
    return std::find(offered.begin(), offered.end(), mode) != offered.end();
  };
  return !volume.spec.claimRef && !volume.metadata.beingDeleted() &&
         volume.spec.storageClassName == claim.spec.storageClassName &&
         volume.spec.volumeMode == claim.spec.volumeMode && claim.accepts(volume) &&
         std::all_of(claim.spec.accessModes.begin(), claim.spec.accessModes.end(), offers) &&
         storageBytes(volume.spec.capacity) >= storageBytes(claim.spec.resources.requests);
}

bool isReachedFrom(const PersistentVolume& volume, const std::string& node, const object::Labels& labels) {
  const auto& affinity = volume.spec.nodeAffinity;
  return !affinity || !affinity->required || matches(*affinity->required, node, labels);
}

std::int64_t storageBytes(const std::map<std::string, std::string>& quantities) {
  const auto found = quantities.find("storage");
  return found == quantities.end() ? 0 : parseQuantity(found->second).value_or(0);
}

}  // namespace godwit::kinds
