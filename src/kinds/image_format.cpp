#include "kinds/image_format.hpp"

#include <fmt/format.h>

#include "kinds/words.hpp"

namespace godwit::kinds {
namespace {

// A device and a LUN are as they are, and Ceph has images of its own.
bool isDirectory(const PersistentVolume& volume, std::string_view maker) {
  const PersistentVolumeSpec& spec = volume.spec;
  return spec.volumeMode == kVolumeModeFilesystem && !spec.iscsi && !spec.rbd && maker != words::kBlockProvisioner;
}

}  // namespace

Result<std::string> formatOf(const StorageClass& storageClass) {
  const std::string said = object::valueOf(storageClass.parameters, kFormatParameter);
  if (said.empty() || said == kRaw) return std::string(kRaw);
  if (said == kQcow2 && storageClass.provisioner == words::kDirectoryProvisioner) return said;
  return fail(
      Code::Invalid,
      fmt::format("storage class {} has the parameter {} '{}'; it may be {}, or {} where the provisioner is {}",
                  storageClass.metadata.name, kFormatParameter, said, kRaw, kQcow2, words::kDirectoryProvisioner));
}

Result<std::string> formatOf(const PersistentVolume& volume) {
  const std::string said = object::valueOf(volume.metadata.annotations, kFormatAnnotation);
  const std::string maker = object::valueOf(volume.metadata.annotations, words::kProvisionedBy);
  if (said.empty() || said == kRaw) return std::string(kRaw);
  if (said == kQcow2 && isDirectory(volume, maker)) return said;
  // The class says it to all its volumes, whichever mode was asked for.
  if (said == kQcow2 && maker == words::kDirectoryProvisioner) return std::string(kRaw);
  return fail(Code::Invalid,
              fmt::format("volume {} has the annotation {} '{}'; it may be {}, or {} where the volume is a directory, "
                          "here or on NFS, of mode {}",
                          volume.metadata.name, kFormatAnnotation, said, kRaw, kQcow2, kVolumeModeFilesystem));
}

}  // namespace godwit::kinds
