#include "controllers/data_volume/render.hpp"

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "controllers/owner.hpp"
#include "kinds/overhead.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::data_volume {
namespace {

namespace words = kinds::words;

// Whether every node reaches the volumes of the class.
bool isShared(const kinds::StorageClass& storageClass) {
  return storageClass.provisioner == words::kIscsiProvisioner || storageClass.parameters.contains("sharedDirectory");
}

// What is asked for in this form is the size of the disk, so the claim is larger by what a filesystem takes.
void inflate(kinds::PersistentVolumeClaimSpec& spec, const kinds::StorageClass* storageClass) {
  if (!storageClass || spec.volumeMode != kinds::kVolumeModeFilesystem) return;
  const std::int64_t overhead = kinds::overheadOf(*storageClass).value_or(0);
  if (overhead == 0) return;
  spec.resources.requests["storage"] =
      formatBytes(kinds::withOverhead(kinds::storageBytes(spec.resources.requests), overhead));
}

void fillIn(kinds::PersistentVolumeClaimSpec& spec, const kinds::StorageClass* storageClass,
            const kinds::PersistentVolumeClaim* original) {
  if (spec.accessModes.empty())
    spec.accessModes = {storageClass && isShared(*storageClass) ? "ReadWriteMany" : "ReadWriteOnce"};
  if (storageClass && storageClass->provisioner == words::kBlockProvisioner) spec.volumeMode = kinds::kVolumeModeBlock;
  if (original && kinds::storageBytes(spec.resources.requests) == 0)
    spec.resources.requests["storage"] = object::valueOf(original->status.capacity, "storage");
  inflate(spec, storageClass);
}

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
  if (volume.spec.storage) fillIn(claim.spec, storageClass, original);
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
