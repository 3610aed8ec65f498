#pragma once

#include <string_view>

// Labels, annotations, finalizers and other names that several rooms must spell alike.
namespace godwit::kinds::words {

// On pods.
inline constexpr std::string_view kApp = "kubevirt.io";                                // label
inline constexpr std::string_view kAppLauncher = "virt-launcher";                      // a pod that is a domain
inline constexpr std::string_view kAppMigration = "migration";                         // a pod that is a mover
inline constexpr std::string_view kAppImporter = "importer";                           // a pod that fills a volume
inline constexpr std::string_view kCreatedBy = "kubevirt.io/created-by";               // label: the VMI's UID
inline constexpr std::string_view kVmiName = "kubevirt.io/vmi-name";                   // label
inline constexpr std::string_view kMigrationJobUid = "kubevirt.io/migrationJobUID";    // label
inline constexpr std::string_view kMigrationJobName = "kubevirt.io/migrationJobName";  // annotation
inline constexpr std::string_view kCancelMove = "godwit.io/cancel";      // annotation: a mover should give up
inline constexpr std::string_view kCopyProgress = "godwit.io/progress";  // annotation: how far an importer is, as JSON
inline constexpr std::string_view kNodeFinalizer = "godwit.io/node";     // the node has let go of a pod
inline constexpr std::string_view kMigrationOptions =
    "godwit.io/migration-options";  // annotation of a mover: what holds for it, as JSON

// On migrations and instances.
inline constexpr std::string_view kMigrationFinalizer = "kubevirt.io/migrationJobFinalize";
inline constexpr std::string_view kEvacuation = "kubevirt.io/evacuationMigration";  // annotation: the node it leaves
inline constexpr std::string_view kVolumeUpdate =
    "kubevirt.io/volume-update-migration";                           // label: the VMI whose VM has new claims
inline constexpr std::string_view kVolumesChange = "VolumesChange";  // condition of such an instance
inline constexpr std::string_view kManualRecoveryRequired = "ManualRecoveryRequired";  // condition of a VM
inline constexpr std::string_view kInstanceFinalizer = "foregroundDeleteVirtualMachine";

inline constexpr std::string_view kVmGeneration =
    "kubevirt.io/vm-generation";  // annotation of an instance: the generation of its VM that it was made from
inline constexpr std::string_view kPaused = "godwit.io/paused";  // annotation: the guest is to stand still

// The object with what holds for the whole cluster, and its namespace.
inline constexpr std::string_view kKubeVirt = "kubevirt";

// On nodes.
inline constexpr std::string_view kSchedulable = "kubevirt.io/schedulable";             // label: takes guests
inline constexpr std::string_view kHostname = "kubernetes.io/hostname";                 // label
inline constexpr std::string_view kLeaseNamespace = "kube-node-lease";                  // has a Lease for each
inline constexpr std::string_view kNodeTaint = "godwit.io/hypervisor";                  // only VM pods land there
inline constexpr std::string_view kOutOfService = "node.kubernetes.io/out-of-service";  // taint: known to be dead
inline constexpr std::string_view kUnreachable = "node.kubernetes.io/unreachable";      // taint: nobody knows
inline constexpr std::string_view kServingCertificate =
    "godwit.io/serving-certificate";  // annotation: what the node answers with
inline constexpr std::string_view kHypervisorUri = "godwit.io/hypervisor-uri";  // annotation: as its machine reaches it
inline constexpr std::string_view kTransportUri = "godwit.io/transport-uri";  // annotation: as other machines reach it
inline constexpr std::string_view kConsoleDirectory = "godwit.io/console-directory";
inline constexpr std::string_view kSocketDirectory =
    "godwit.io/socket-directory";  // annotation: shared with its neighbours
inline constexpr std::string_view kContainerDirectory =
    "godwit.io/container-directory";  // annotation: where disks out of container images go
inline constexpr std::string_view kVolumeDirectory =
    "godwit.io/volume-directory";  // annotation: where local volumes go

// On claims and volumes.
inline constexpr std::string_view kSelectedNode = "volume.kubernetes.io/selected-node";
inline constexpr std::string_view kDirectoryProvisioner = "directory.godwit.io";
inline constexpr std::string_view kBlockProvisioner = "block.godwit.io";
inline constexpr std::string_view kIscsiProvisioner = "iscsi.godwit.io";
inline constexpr std::string_view kBindImmediately = "cdi.kubevirt.io/storage.bind.immediate.requested";  // annotation
inline constexpr std::string_view kUploadTarget = "cdi.kubevirt.io/storage.upload.target";                // annotation
inline constexpr std::string_view kUploadPod = "cdi.kubevirt.io/storage.uploadPodName";                   // annotation
inline constexpr std::string_view kUploadPodPhase = "cdi.kubevirt.io/storage.pod.phase";                  // annotation
inline constexpr std::string_view kUploadPodReady = "cdi.kubevirt.io/storage.pod.ready";                  // annotation
inline constexpr std::string_view kVolumeFinalizer = "godwit.io/volume";              // the data has been removed
inline constexpr std::string_view kClaimProtection = "kubernetes.io/pvc-protection";  // finalizer: nobody uses it
inline constexpr std::string_view kVolumeProtection = "kubernetes.io/pv-protection";  // finalizer: no claim has it
inline constexpr std::string_view kMadeFor = "godwit.io/made-for";     // label: UID of the wish it was made for
inline constexpr std::string_view kOverwrite = "godwit.io/overwrite";  // annotation: what is on it may be lost
inline constexpr std::string_view kCopyOf =
    "godwit.io/copy-of";  // annotation: the disk whose copy is on it, and may be made anew
inline constexpr std::string_view kLeftBy =
    "godwit.io/left-by";  // annotation of a claim: the VM whose disk is elsewhere since, and its last generation here
inline constexpr std::string_view kProvisionedBy = "pv.kubernetes.io/provisioned-by";

// On VMs.
inline constexpr std::string_view kClaimTemplates = "harvesterhci.io/volumeClaimTemplates";  // annotation

}  // namespace godwit::kinds::words
