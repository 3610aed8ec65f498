#include "kinds/image_format.hpp"

#include <fmt/format.h>

#include "kinds/words.hpp"

namespace godwit::kinds {

Result<std::string> formatOf(const StorageClass& storageClass) {
  const std::string said = object::valueOf(storageClass.parameters, kFormatParameter);
  if (said.empty() || said == kRaw) return std::string(kRaw);
  if (said == kQcow2 && storageClass.provisioner == words::kDirectoryProvisioner) return said;
  return fail(
      Code::Invalid,
      fmt::format("storage class {} has the parameter {} '{}'; it may be {}, or {} where the provisioner is {}",
                  storageClass.metadata.name, kFormatParameter, said, kRaw, kQcow2, words::kDirectoryProvisioner));
}

std::string_view formatOf(const PersistentVolume& volume) {
  const bool qcow2 = object::valueOf(volume.metadata.annotations, kFormatAnnotation) == kQcow2;
  return qcow2 && volume.spec.volumeMode == kVolumeModeFilesystem ? kQcow2 : kRaw;
}

}  // namespace godwit::kinds
