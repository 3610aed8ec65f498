#include "controllers/claim_form.hpp"

#include "base/quantity.hpp"
#include "kinds/overhead.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers {
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

}  // namespace

void fillIn(kinds::PersistentVolumeClaimSpec& spec, const kinds::StorageClass* storageClass) {
  if (spec.accessModes.empty())
    spec.accessModes = {storageClass && isShared(*storageClass) ? "ReadWriteMany" : "ReadWriteOnce"};
  if (storageClass && storageClass->provisioner == words::kBlockProvisioner) spec.volumeMode = kinds::kVolumeModeBlock;
  inflate(spec, storageClass);
}

}  // namespace godwit::controllers
