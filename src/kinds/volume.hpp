#pragma once

#include "kinds/condition.hpp"
#include "kinds/node_selector.hpp"
#include "kinds/pod.hpp"
#include "schema/codec.hpp"
#include "schema/metadata.hpp"

// PersistentVolume, PersistentVolumeClaim and StorageClass.
namespace godwit::kinds {

inline constexpr std::string_view kVolumeModeFilesystem = "Filesystem";
inline constexpr std::string_view kVolumeModeBlock = "Block";

struct ObjectReference {
  std::string apiVersion;
  std::string kind;
  std::string nameSpace;
  std::string name;
  std::string uid;

  bool operator==(const ObjectReference&) const = default;
};

struct HostPath {
  std::string path;

  bool operator==(const HostPath&) const = default;
};

struct SecretReference {
  std::string name;
  std::string nameSpace;

  bool operator==(const SecretReference&) const = default;
};

struct IscsiVolume {
  std::string targetPortal;  // host or host:port
  std::string iqn;
  std::int64_t lun = 0;
  std::string initiatorName;
  bool chapAuthSession = false;
  std::optional<SecretReference> secretRef;

  bool operator==(const IscsiVolume&) const = default;
};

// A directory of an NFS server; QEMU itself is the client.
struct NfsVolume {
  std::string server;
  std::string path;

  bool operator==(const NfsVolume&) const = default;
};

// An image in a Ceph pool.
struct RbdVolume {
  std::vector<std::string> monitors;  // host or host:port
  std::string pool = "rbd";
  std::string image;
  std::string user = "admin";
  std::optional<SecretReference> secretRef;

  bool operator==(const RbdVolume&) const = default;
};

struct VolumeNodeAffinity {
  std::optional<NodeSelector> required;

  bool operator==(const VolumeNodeAffinity&) const = default;
};

struct PersistentVolumeSpec {
  std::map<std::string, std::string> capacity;
  std::vector<std::string> accessModes;
  std::string volumeMode = "Filesystem";
  std::string storageClassName;
  std::string persistentVolumeReclaimPolicy = "Retain";
  std::optional<ObjectReference> claimRef;
  std::optional<VolumeNodeAffinity> nodeAffinity;
  std::optional<HostPath> local;     // on the nodes that nodeAffinity names
  std::optional<HostPath> hostPath;  // at the same path on every node
  std::optional<IscsiVolume> iscsi;  // a LUN
  std::optional<NfsVolume> nfs;
  std::optional<RbdVolume> rbd;

  bool operator==(const PersistentVolumeSpec&) const = default;
};

struct PersistentVolumeStatus {
  std::string phase;
  std::string reason;
  std::string message;

  bool operator==(const PersistentVolumeStatus&) const = default;
};

struct PersistentVolume {
  schema::Metadata metadata;
  PersistentVolumeSpec spec;
  PersistentVolumeStatus status;

  bool operator==(const PersistentVolume&) const = default;
};

struct PersistentVolumeClaimSpec {
  std::vector<std::string> accessModes;
  ResourceNeeds resources;
  std::string storageClassName;
  std::string volumeMode = "Filesystem";
  std::string volumeName;
  std::optional<LabelQuery> selector;

  bool operator==(const PersistentVolumeClaimSpec&) const = default;
};

struct PersistentVolumeClaimStatus {
  std::string phase;
  std::vector<std::string> accessModes;
  std::map<std::string, std::string> capacity;
  std::vector<Condition> conditions;

  bool operator==(const PersistentVolumeClaimStatus&) const = default;
};

struct PersistentVolumeClaim {
  schema::Metadata metadata;
  PersistentVolumeClaimSpec spec;
  PersistentVolumeClaimStatus status;

  bool bound() const { return status.phase == "Bound"; }
  bool accepts(const PersistentVolume& volume) const {
    return !spec.selector || matches(*spec.selector, volume.metadata.labels);
  }

  bool operator==(const PersistentVolumeClaim&) const = default;
};

struct StorageClass {
  schema::Metadata metadata;
  std::string provisioner;
  std::map<std::string, std::string> parameters;
  std::string reclaimPolicy = "Delete";
  std::string volumeBindingMode = "Immediate";
  bool allowVolumeExpansion = false;

  bool waitsForConsumer() const { return volumeBindingMode == "WaitForFirstConsumer"; }

  bool operator==(const StorageClass&) const = default;
};

// Whether a volume is free, and as large and as good as the claim asks for.
bool offersWhatIsAsked(const PersistentVolume& volume, const PersistentVolumeClaim& claim);

// Whether a node of that name and those labels reaches the volume.
bool isReachedFrom(const PersistentVolume& volume, const std::string& node, const object::Labels& labels);

// Bytes of storage in a capacity or request map; 0 when absent or unreadable.
std::int64_t storageBytes(const std::map<std::string, std::string>& quantities);

}  // namespace godwit::kinds

namespace godwit::schema {

inline constexpr std::string_view kVolumeModes[] = {kinds::kVolumeModeFilesystem, kinds::kVolumeModeBlock};
inline constexpr std::string_view kAccessModes[] = {"ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany",
                                                    "ReadWriteOncePod"};
inline constexpr std::string_view kReclaimPolicies[] = {"Retain", "Delete"};
inline constexpr std::string_view kBindingModes[] = {"Immediate", "WaitForFirstConsumer"};

template <>
inline constexpr auto schema<kinds::ObjectReference> =
    object(field<&kinds::ObjectReference::apiVersion>("apiVersion", "API version."),
           field<&kinds::ObjectReference::kind>("kind", "Kind."),
           field<&kinds::ObjectReference::nameSpace>("namespace", "Namespace."),
           field<&kinds::ObjectReference::name>("name", "Name."), field<&kinds::ObjectReference::uid>("uid", "UID."),
           kept("resourceVersion", "fieldPath"));

template <>
inline constexpr auto schema<kinds::HostPath> =
    object(field<&kinds::HostPath::path>("path", "Absolute path on the node.", required), kept("type", "fsType"));

template <>
inline constexpr auto schema<kinds::SecretReference> = object(field<&kinds::SecretReference::name>("name", "Name."),
                                                              field<&kinds::SecretReference::nameSpace>("namespace",
                                                                                                        "Namespace."));

template <>
inline constexpr auto schema<kinds::IscsiVolume> =
    object(field<&kinds::IscsiVolume::targetPortal>("targetPortal", "host or host:port; the port is 3260 if not said.",
                                                    required),
           field<&kinds::IscsiVolume::iqn>("iqn", "Qualified name of the target.", required),
           field<&kinds::IscsiVolume::lun>("lun", "Number of the unit."),
           field<&kinds::IscsiVolume::initiatorName>("initiatorName", "The name under which it is used."),
           field<&kinds::IscsiVolume::chapAuthSession>("chapAuthSession", "Whether sessions log in by CHAP."),
           field<&kinds::IscsiVolume::secretRef>("secretRef", "Who logs in, and with which password."),
           kept("iscsiInterface", "fsType", "readOnly", "portals", "chapAuthDiscovery"));

template <>
inline constexpr auto schema<kinds::NfsVolume> =
    object(field<&kinds::NfsVolume::server>("server", "Name or address.", required),
           field<&kinds::NfsVolume::path>("path", "Directory that the server exports.", required), kept("readOnly"));

template <>
inline constexpr auto schema<kinds::RbdVolume> =
    object(field<&kinds::RbdVolume::monitors>("monitors", "Each host or host:port.", required),
           field<&kinds::RbdVolume::pool>("pool", "Pool that has the image."),
           field<&kinds::RbdVolume::image>("image", "Name of the image.", required),
           field<&kinds::RbdVolume::user>("user", "Who reads and writes it."),
           field<&kinds::RbdVolume::secretRef>("secretRef", "The user's key."), kept("fsType", "keyring", "readOnly"));

template <>
inline constexpr auto schema<kinds::VolumeNodeAffinity> =
    object(field<&kinds::VolumeNodeAffinity::required>("required", "Nodes that reach the volume."));

template <>
inline constexpr auto schema<kinds::PersistentVolumeSpec> = object(
    field<&kinds::PersistentVolumeSpec::capacity>("capacity", "Its size.", quantity),
    field<&kinds::PersistentVolumeSpec::accessModes>("accessModes", "How it may be mounted.", oneOf(kAccessModes)),
    field<&kinds::PersistentVolumeSpec::volumeMode>("volumeMode",
                                                    "A filesystem with an image in it, or the bare device.",
                                                    oneOf(kVolumeModes)),
    field<&kinds::PersistentVolumeSpec::storageClassName>("storageClassName", "Class it belongs to."),
    field<&kinds::PersistentVolumeSpec::persistentVolumeReclaimPolicy>("persistentVolumeReclaimPolicy",
                                                                       "What becomes of it when its claim goes.",
                                                                       oneOf(kReclaimPolicies)),
    field<&kinds::PersistentVolumeSpec::claimRef>("claimRef", "Claim it belongs to."),
    field<&kinds::PersistentVolumeSpec::nodeAffinity>("nodeAffinity", "Nodes that reach it; all when absent."),
    field<&kinds::PersistentVolumeSpec::local>("local", "A directory of the nodes that nodeAffinity names."),
    field<&kinds::PersistentVolumeSpec::hostPath>("hostPath", "A directory at the same path on every node."),
    field<&kinds::PersistentVolumeSpec::iscsi>("iscsi", "A LUN, used whole as one disk."),
    field<&kinds::PersistentVolumeSpec::nfs>("nfs", "A directory of an NFS server, with an image in it."),
    field<&kinds::PersistentVolumeSpec::rbd>("rbd", "A Ceph image, used whole as one disk."),
    kept("mountOptions", "volumeAttributesClassName", "awsElasticBlockStore", "azureDisk", "azureFile", "cephfs",
         "cinder", "csi", "fc", "flexVolume", "flocker", "gcePersistentDisk", "glusterfs", "photonPersistentDisk",
         "portworxVolume", "quobyte", "scaleIO", "storageos", "vsphereVolume"));

template <>
inline constexpr auto schema<kinds::PersistentVolumeStatus> =
    object(field<&kinds::PersistentVolumeStatus::phase>("phase", "Available, Bound, Released or Failed."),
           field<&kinds::PersistentVolumeStatus::reason>("reason", "One word for machines."),
           field<&kinds::PersistentVolumeStatus::message>("message", "A sentence for people."), open);

template <>
inline constexpr auto schema<kinds::PersistentVolume> =
    object(field<&kinds::PersistentVolume::metadata>("metadata", "Metadata."),
           field<&kinds::PersistentVolume::spec>("spec", "The volume."),
           field<&kinds::PersistentVolume::status>("status", "State."));

template <>
inline constexpr auto schema<kinds::PersistentVolumeClaimSpec> =
    object(field<&kinds::PersistentVolumeClaimSpec::accessModes>("accessModes", "How it is to be mounted.",
                                                                 oneOf(kAccessModes)),
           field<&kinds::PersistentVolumeClaimSpec::resources>("resources", "Size asked for."),
           field<&kinds::PersistentVolumeClaimSpec::storageClassName>("storageClassName", "Class asked for."),
           field<&kinds::PersistentVolumeClaimSpec::volumeMode>("volumeMode",
                                                                "A filesystem with an image in it, or the bare device.",
                                                                oneOf(kVolumeModes)),
           field<&kinds::PersistentVolumeClaimSpec::volumeName>("volumeName", "Volume it is bound to."),
           field<&kinds::PersistentVolumeClaimSpec::selector>("selector", "Labels of the volumes that will do."),
           kept("dataSource", "dataSourceRef", "volumeAttributesClassName"));

template <>
inline constexpr auto schema<kinds::PersistentVolumeClaimStatus> =
    object(field<&kinds::PersistentVolumeClaimStatus::phase>("phase", "Pending, Bound or Lost."),
           field<&kinds::PersistentVolumeClaimStatus::accessModes>("accessModes", "How it can be mounted."),
           field<&kinds::PersistentVolumeClaimStatus::capacity>("capacity", "Size it got."),
           field<&kinds::PersistentVolumeClaimStatus::conditions>("conditions", "Why it is as it is."), open);

template <>
inline constexpr auto schema<kinds::PersistentVolumeClaim> =
    object(field<&kinds::PersistentVolumeClaim::metadata>("metadata", "Metadata."),
           field<&kinds::PersistentVolumeClaim::spec>("spec", "What is asked for."),
           field<&kinds::PersistentVolumeClaim::status>("status", "What was given."));

template <>
inline constexpr auto schema<kinds::StorageClass> = object(
    field<&kinds::StorageClass::metadata>("metadata", "Metadata."),
    field<&kinds::StorageClass::provisioner>("provisioner", "Who makes its volumes.", required, immutable),
    field<&kinds::StorageClass::parameters>("parameters", "Words to the provisioner.", immutable),
    field<&kinds::StorageClass::reclaimPolicy>("reclaimPolicy", "What becomes of its volumes when their claims go.",
                                               oneOf(kReclaimPolicies)),
    field<&kinds::StorageClass::volumeBindingMode>("volumeBindingMode", "When a claim gets its volume.",
                                                   oneOf(kBindingModes)),
    field<&kinds::StorageClass::allowVolumeExpansion>("allowVolumeExpansion", "Whether claims may grow."),
    kept("mountOptions", "allowedTopologies"));

inline constexpr std::string_view kPvShortNames[] = {"pv"};
inline constexpr Column kPvColumns[] = {
    {"Capacity", ".spec.capacity.storage"},
    {"Reclaim Policy", ".spec.persistentVolumeReclaimPolicy"},
    {.name = "Status", .path = ".status.phase", .tellsDeletion = true},
    {"Claim", ".spec.claimRef.name"},
    {"StorageClass", ".spec.storageClassName"},
    {"Age", ".metadata.creationTimestamp", "date"},
};
template <>
inline constexpr Kind kind<kinds::PersistentVolume> = {.group = "",
                                                       .version = "v1",
                                                       .name = "PersistentVolume",
                                                       .plural = "persistentvolumes",
                                                       .singular = "persistentvolume",
                                                       .shortNames = kPvShortNames,
                                                       .scope = Scope::Cluster,
                                                       .columns = kPvColumns};

inline constexpr std::string_view kPvcShortNames[] = {"pvc"};
inline constexpr Column kPvcColumns[] = {
    {.name = "Status", .path = ".status.phase", .tellsDeletion = true},
    {"Volume", ".spec.volumeName"},
    {"Capacity", ".status.capacity.storage"},
    {"StorageClass", ".spec.storageClassName"},
    {"Age", ".metadata.creationTimestamp", "date"},
};
template <>
inline constexpr Kind kind<kinds::PersistentVolumeClaim> = {.group = "",
                                                            .version = "v1",
                                                            .name = "PersistentVolumeClaim",
                                                            .plural = "persistentvolumeclaims",
                                                            .singular = "persistentvolumeclaim",
                                                            .shortNames = kPvcShortNames,
                                                            .columns = kPvcColumns};

inline constexpr std::string_view kStorageClassShortNames[] = {"sc"};
inline constexpr Column kStorageClassColumns[] = {
    {"Provisioner", ".provisioner"},
    {"ReclaimPolicy", ".reclaimPolicy"},
    {"VolumeBindingMode", ".volumeBindingMode"},
    {"Age", ".metadata.creationTimestamp", "date"},
};
template <>
inline constexpr Kind kind<kinds::StorageClass> = {.group = "storage.k8s.io",
                                                   .version = "v1",
                                                   .name = "StorageClass",
                                                   .plural = "storageclasses",
                                                   .singular = "storageclass",
                                                   .shortNames = kStorageClassShortNames,
                                                   .scope = Scope::Cluster,
                                                   .hasStatus = false,
                                                   .columns = kStorageClassColumns};

extern template const Shape& shapeFor<kinds::PersistentVolume>();
extern template const Shape& shapeFor<kinds::PersistentVolumeClaim>();
extern template const Shape& shapeFor<kinds::StorageClass>();

}  // namespace godwit::schema
