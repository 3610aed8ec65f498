#include "controllers/data_volume/render.hpp"

#include <fmt/format.h>

#include "controllers/claim_form.hpp"
#include "controllers/importer_pod.hpp"
#include "controllers/owner.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::data_volume {
namespace {

namespace words = kinds::words;

}  // namespace

kinds::PersistentVolumeClaim renderClaim(const kinds::DataVolume& volume, const kinds::StorageClass* storageClass,
                                         const kinds::PersistentVolumeClaim* original) {
  kinds::PersistentVolumeClaim claim;
  claim.metadata.name = volume.metadata.name;
  claim.metadata.nameSpace = volume.metadata.nameSpace;
  claim.metadata.labels = volume.metadata.labels;
  if (volume.spec.source.upload) claim.metadata.annotations[std::string(words::kUploadTarget)] = "";
  claim.metadata.ownerReferences = {ownerReference(volume)};
  claim.spec = *volume.spec.claim();
  if (!volume.spec.storage) return claim;
  if (original && kinds::storageBytes(claim.spec.resources.requests) == 0)
    claim.spec.resources.requests["storage"] = object::valueOf(original->status.capacity, "storage");
  fillIn(claim.spec, storageClass);
  return claim;
}

std::string importerName(const kinds::DataVolume& volume, const kinds::PersistentVolumeClaim& claim) {
  return fmt::format("{}-{}-{}-{}", words::kAppImporter, volume.metadata.name, claim.metadata.uid.substr(0, 8),
                     volume.status.restartCount);
}

kinds::Pod renderImporter(const kinds::DataVolume& volume, const kinds::PersistentVolumeClaim& claim) {
  const auto& original = volume.spec.source.pvc;
  return controllers::renderImporter({.name = importerName(volume, claim),
                                      .nameSpace = volume.metadata.nameSpace,
                                      .owner = ownerReference(volume),
                                      .target = claim.metadata.name,
                                      .original = original ? original->name : ""});
}

}  // namespace godwit::controllers::data_volume
