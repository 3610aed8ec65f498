#include "controllers/claim/provision.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "kinds/image_format.hpp"
#include "kinds/lun.hpp"
#include "kinds/overhead.hpp"
#include "kinds/words.hpp"

namespace godwit::controllers::claim {
namespace {

namespace words = kinds::words;

// In the volume's directory: the node makes the one a link to the device, and the other a file.
constexpr const char* kDevice = "/device";
constexpr const char* kImage = "/disk.img";

bool isOfDevices(const kinds::StorageClass& storageClass) {
  return storageClass.provisioner == words::kBlockProvisioner;
}

bool isOfLuns(const kinds::StorageClass& storageClass) { return storageClass.provisioner == words::kIscsiProvisioner; }

// On one node: the path is that node's, and only that node reaches it.
Result<> placeOnNode(kinds::PersistentVolume& volume, const kinds::Node* node) {
  if (!node) return fail(Code::Invalid, "a volume of one node needs volumeBindingMode WaitForFirstConsumer");
  const std::string directory = object::valueOf(node->metadata.annotations, words::kVolumeDirectory);
  if (directory.empty())
    return fail(Code::Invalid,
                fmt::format("node {} has no {} annotation", node->metadata.name, words::kVolumeDirectory));
  volume.spec.local = kinds::HostPath{directory + "/" + volume.metadata.name};
  const object::Requirement here = {std::string(words::kHostname),
                                    object::Requirement::Operator::In,
                                    {object::valueOf(node->metadata.labels, words::kHostname)}};
  volume.spec.nodeAffinity = kinds::VolumeNodeAffinity{kinds::NodeSelector{{{{here}, {}}}}};
  return {};
}

// On a target that every node reaches.
Result<> placeOnTarget(kinds::PersistentVolume& volume, const kinds::StorageClass& storageClass) {
  const auto say = [&](const char* parameter) { return object::valueOf(storageClass.parameters, parameter); };
  if (say("portal").empty() || say("control").empty() || say("directory").empty())
    return fail(Code::Invalid, fmt::format("storage class {} needs the parameters portal, control and directory",
                                           storageClass.metadata.name));
  volume.spec.iscsi.emplace();
  volume.spec.iscsi->targetPortal = say("portal");
  volume.spec.iscsi->iqn = kinds::lunTarget(volume.metadata.name);
  volume.spec.iscsi->lun = kinds::kLun;
  volume.metadata.annotations[std::string(kinds::kLunDirectory)] = say("directory");
  volume.metadata.annotations[std::string(kinds::kLunControl)] = say("control");
  return {};
}

// What of the volume's directory is the volume. A guest has a disk by either mode, so any class has both; a volume of
// mode Block is what its path leads to, and a directory is none.
std::string_view partOf(const kinds::StorageClass& storageClass, const kinds::PersistentVolumeClaim& claim) {
  if (isOfDevices(storageClass)) return kDevice;
  return claim.spec.volumeMode == kinds::kVolumeModeBlock ? kImage : "";
}

Result<> place(kinds::PersistentVolume& volume, const kinds::PersistentVolumeClaim& claim,
               const kinds::StorageClass& storageClass, const kinds::Node* node) {
  if (isOfLuns(storageClass)) return placeOnTarget(volume, storageClass);
  const std::string shared = object::valueOf(storageClass.parameters, "sharedDirectory");
  if (!shared.empty() && !isOfDevices(storageClass))
    volume.spec.hostPath = kinds::HostPath{shared + "/" + volume.metadata.name};
  else
    TRY(placeOnNode(volume, node));
  (volume.spec.local ? volume.spec.local : volume.spec.hostPath)->path += partOf(storageClass, claim);
  return {};
}

}  // namespace

bool fits(const kinds::PersistentVolume& volume, const kinds::PersistentVolumeClaim& claim, const kinds::Node* node) {
  return kinds::offersWhatIsAsked(volume, claim) &&
         (!node || kinds::isReachedFrom(volume, node->metadata.name, node->metadata.labels));
}

bool isOurs(const kinds::StorageClass& storageClass) {
  return storageClass.provisioner == words::kDirectoryProvisioner || isOfDevices(storageClass) ||
         isOfLuns(storageClass);
}

bool isKeptFor(const kinds::PersistentVolume& volume, const kinds::PersistentVolumeClaim& claim) {
  const auto& kept = volume.spec.claimRef;
  return kept && kept->nameSpace == claim.metadata.nameSpace && kept->name == claim.metadata.name &&
         (kept->uid.empty() ? !volume.metadata.beingDeleted() : kept->uid == claim.metadata.uid);
}

bool canBeKeptFor(const kinds::PersistentVolume& volume, const kinds::PersistentVolumeClaim& claim) {
  const auto& kept = volume.spec.claimRef;
  return !volume.metadata.beingDeleted() && (!kept || (kept->uid.empty() && isKeptFor(volume, claim)));
}

kinds::ObjectReference referenceTo(const kinds::PersistentVolumeClaim& claim) {
  return {"v1", "PersistentVolumeClaim", claim.metadata.nameSpace, claim.metadata.name, claim.metadata.uid};
}

Result<kinds::PersistentVolume> renderVolume(const kinds::PersistentVolumeClaim& claim,
                                             const kinds::StorageClass& storageClass, const kinds::Node* node) {
  kinds::PersistentVolume volume;
  volume.metadata.name = "pvc-" + claim.metadata.uid;
  volume.metadata.annotations[std::string(words::kProvisionedBy)] = storageClass.provisioner;
  volume.metadata.finalizers = {std::string(words::kVolumeFinalizer), std::string(words::kVolumeProtection)};
  volume.spec.capacity = claim.spec.resources.requests;
  volume.spec.accessModes = claim.spec.accessModes;
  volume.spec.volumeMode = claim.spec.volumeMode;
  volume.spec.storageClassName = storageClass.metadata.name;
  volume.spec.persistentVolumeReclaimPolicy = storageClass.reclaimPolicy;
  volume.spec.claimRef = referenceTo(claim);
  // The volume has its own word for it: the class may think better of it while this one is in use.
  if (TRY(kinds::overheadOf(storageClass)) > 0)
    volume.metadata.annotations[std::string(kinds::kOverheadAnnotation)] =
        object::valueOf(storageClass.metadata.annotations, kinds::kOverheadAnnotation);
  if (std::string format = TRY(kinds::formatOf(storageClass)); format != kinds::kRaw)
    volume.metadata.annotations[std::string(kinds::kFormatAnnotation)] = std::move(format);
  TRY(place(volume, claim, storageClass, node));
  return volume;
}

}  // namespace godwit::controllers::claim
