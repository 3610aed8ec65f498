#include "controllers/data_volume/render.hpp"

#include <fmt/format.h>

#include "controllers/claim_form.hpp"
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
  kinds::Pod pod;
  pod.metadata.name = importerName(volume, claim);
  pod.metadata.nameSpace = volume.metadata.nameSpace;
  pod.metadata.labels[std::string(words::kApp)] = words::kAppImporter;
  pod.metadata.ownerReferences = {ownerReference(volume)};
  pod.metadata.finalizers = {std::string(words::kNodeFinalizer)};
  pod.spec.tolerations = {{.key = std::string(words::kNodeTaint), .op = "Exists", .value = "", .effect = ""}};
  pod.spec.volumes = {{"target", kinds::ClaimReference{claim.metadata.name}}};
  if (const auto& original = volume.spec.source.pvc)
    pod.spec.volumes.push_back({"original", kinds::ClaimReference{original->name}});
  pod.spec.containers = {{.name = "importer", .image = "godwit", .resources = {}}};
  return pod;
}

}  // namespace godwit::controllers::data_volume
