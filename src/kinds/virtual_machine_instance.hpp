#pragma once

#include "kinds/condition.hpp"
#include "kinds/disk.hpp"
#include "kinds/migration_options.hpp"
#include "kinds/node_selector.hpp"
#include "kinds/pod.hpp"
#include "kinds/words.hpp"
#include "schema/codec.hpp"
#include "schema/metadata.hpp"

namespace godwit::kinds {

struct GuestMemory {
  std::string guest;

  bool operator==(const GuestMemory&) const = default;
};

struct GuestCpu {
  std::int64_t cores = 1;

  bool operator==(const GuestCpu&) const = default;
};

struct DomainNeeds {
  Devices devices;
  ResourceNeeds resources;
  std::optional<GuestMemory> memory;
  std::optional<GuestCpu> cpu;

  bool operator==(const DomainNeeds&) const = default;
};

struct DataVolumeReference {
  std::string name;
  bool hotpluggable = false;

  bool operator==(const DataVolumeReference&) const = default;
};

// A disk out of a container image: new at every start, and gone with the guest.
struct ContainerDisk {
  std::string image;
  std::string path = {};             // of the file in it; empty: the one in the folder disk
  std::string imagePullSecret = {};  // for the registry
  std::string imagePullPolicy = {};  // empty: Always for the tag latest, else IfNotPresent

  bool operator==(const ContainerDisk&) const = default;
};

struct VolumeSpec {
  std::string name;
  std::optional<ClaimReference> persistentVolumeClaim;
  std::optional<DataVolumeReference> dataVolume;
  std::optional<ContainerDisk> containerDisk = {};

  bool operator==(const VolumeSpec&) const = default;

  // The claim behind the volume, or nothing. A DataVolume's claim has its name.
  std::string claim() const;
  // Whether it may come to a running guest, and go.
  bool hotpluggable() const;
};

struct VirtualMachineInstanceSpec {
  DomainNeeds domain;
  std::vector<VolumeSpec> volumes;
  std::map<std::string, std::string> nodeSelector;
  std::optional<Affinity> affinity;
  std::vector<Toleration> tolerations;
  std::string evictionStrategy;
  std::string startStrategy = {};                                  // Paused: the guest is made, and does not run yet
  std::optional<std::int64_t> terminationGracePeriodSeconds = {};  // how long the guest may take to shut down

  bool operator==(const VirtualMachineInstanceSpec&) const = default;

  std::int64_t memoryBytes() const;  // what the guest sees; 0 when nothing readable is said
  // Those listed, and one for each disk that names its claim itself.
  std::vector<VolumeSpec> allVolumes() const;
};

// What becomes of a guest whose node is drained. KubeVirt does nothing of its own accord; here a guest moves unless its
// owner says otherwise.
namespace eviction_strategy {
inline constexpr std::string_view kNone = "None";                                    // it ends
inline constexpr std::string_view kLiveMigrate = "LiveMigrate";                      // it moves, or stays
inline constexpr std::string_view kLiveMigrateIfPossible = "LiveMigrateIfPossible";  // it moves, or ends
inline constexpr std::string_view kExternal = "External";                            // somebody else moves it
}  // namespace eviction_strategy

enum class InstancePhase { Unset, Pending, Scheduling, Scheduled, Running, Succeeded, Failed };

constexpr bool isFinal(InstancePhase phase) {
  return phase == InstancePhase::Succeeded || phase == InstancePhase::Failed;
}

// One move of a VMI, on the VMI and on its migration. It tells both nodes what is theirs.
struct MigrationState {
  std::string migrationUid;
  std::string sourceNode;
  std::string sourcePod;
  std::string targetNode;
  std::string targetPod;
  std::optional<Timestamp> startTimestamp;
  std::optional<Timestamp> endTimestamp;
  bool completed = false;
  bool failed = false;
  bool abortRequested = false;
  std::string failureReason;
  std::string abortStatus = {};  // Succeeded or Failed, once it is known what came of the abort
  std::string mode = {};         // PreCopy, when memory is copied at all; PostCopy and Paused when time was up
  std::string migrationPolicyName = {};
  std::optional<MigrationOptions> migrationConfiguration = {};  // that hold, whoever said them
  bool targetNodeDomainDetected = false;
  std::optional<Timestamp> targetNodeDomainReadyTimestamp = {};

  bool operator==(const MigrationState&) const = default;
};

// A claim as it is now, for people who look at the instance alone.
struct ClaimFacts {
  std::string claimName;
  std::vector<std::string> accessModes = {};
  std::string volumeMode = {};
  std::map<std::string, std::string> requests = {};
  std::map<std::string, std::string> capacity = {};

  bool operator==(const ClaimFacts&) const = default;
};

struct MigratedVolumeStatus {
  std::string volumeName;
  ClaimFacts sourcePVCInfo;
  ClaimFacts destinationPVCInfo;

  bool operator==(const MigratedVolumeStatus&) const = default;
};

// Marks a volume that came to a running guest.
struct HotplugVolume {
  bool operator==(const HotplugVolume&) const = default;
};

// Marks a volume out of a container image.
struct ContainerDiskVolume {
  bool operator==(const ContainerDiskVolume&) const = default;
};

// What has become of a volume of the guest.
struct VolumeStatus {
  std::string name;
  std::string target;  // "vda"
  std::string phase;   // Pending, Bound, Ready, Detaching
  std::string reason;
  std::string message;
  std::optional<ClaimFacts> persistentVolumeClaimInfo;
  std::optional<HotplugVolume> hotplugVolume;
  std::optional<ContainerDiskVolume> containerDiskVolume = {};
  std::int64_t size = 0;  // bytes, as the guest sees them

  bool operator==(const VolumeStatus&) const = default;
};

struct InstanceExtra {
  std::string activePod;                 // the pod whose domain is the guest
  bool evacuationFollowsCordon = false;  // it is to leave its node because, and as long as, that is cordoned

  bool operator==(const InstanceExtra&) const = default;
};

struct VirtualMachineInstanceStatus {
  InstancePhase phase = InstancePhase::Unset;
  std::string nodeName;
  std::string reason;
  std::vector<Condition> conditions;
  std::map<std::string, std::string> activePods;  // pod UID to node
  std::optional<MigrationState> migrationState;
  std::vector<MigratedVolumeStatus> migratedVolumes;
  std::vector<VolumeStatus> volumeStatus = {};
  std::string migrationNodeName = {};   // where it is about to be, while it moves
  std::string migrationMethod = {};     // LiveMigration, or BlockMigration when disks must go along
  std::string evacuationNodeName = {};  // a node that the guest is to leave
  std::vector<PhaseTransition> phaseTransitionTimestamps;
  InstanceExtra godwit;

  bool operator==(const VirtualMachineInstanceStatus&) const = default;
};

struct VirtualMachineInstance {
  schema::Metadata metadata;
  VirtualMachineInstanceSpec spec;
  VirtualMachineInstanceStatus status;

  // A migration holds the VMI from its claim on until it is completed.
  bool moving() const { return status.migrationState && !status.migrationState->completed; }
  std::string_view evictionStrategy() const {
    return spec.evictionStrategy.empty() ? eviction_strategy::kLiveMigrate : spec.evictionStrategy;
  }
  // Whether its guest is to stand still, by the wish of a person.
  bool toBePaused() const { return metadata.annotations.contains(std::string(words::kPaused)); }

  bool operator==(const VirtualMachineInstance&) const = default;
};

// How a VMI's domain is called on every node it comes to.
std::string domainName(const object::Key& vmi);

}  // namespace godwit::kinds

namespace godwit::schema {

template <>
inline constexpr auto names<kinds::InstancePhase> =
    std::to_array<std::pair<kinds::InstancePhase, std::string_view>>({{kinds::InstancePhase::Unset, ""},
                                                                      {kinds::InstancePhase::Pending, "Pending"},
                                                                      {kinds::InstancePhase::Scheduling, "Scheduling"},
                                                                      {kinds::InstancePhase::Scheduled, "Scheduled"},
                                                                      {kinds::InstancePhase::Running, "Running"},
                                                                      {kinds::InstancePhase::Succeeded, "Succeeded"},
                                                                      {kinds::InstancePhase::Failed, "Failed"}});

template <>
inline constexpr auto schema<kinds::GuestMemory> =
    object(field<&kinds::GuestMemory::guest>("guest", "Memory that the guest sees.", quantity),
           kept("hugepages", "maxGuest", "reservedOverhead"));

template <>
inline constexpr auto schema<kinds::GuestCpu> =
    object(field<&kinds::GuestCpu::cores>("cores", "Cores.", between(1, 512)),
           kept("sockets", "maxSockets", "threads", "model", "features", "dedicatedCpuPlacement", "numa",
                "isolateEmulatorThread", "realtime"));

template <>
inline constexpr auto schema<kinds::DomainNeeds> =
    object(field<&kinds::DomainNeeds::devices>("devices", "Devices."),
           field<&kinds::DomainNeeds::resources>("resources", "Resources."),
           field<&kinds::DomainNeeds::memory>("memory", "Memory."), field<&kinds::DomainNeeds::cpu>("cpu", "CPU."),
           kept("machine", "firmware", "clock", "features", "ioThreadsPolicy", "ioThreads", "chassis", "launchSecurity",
                "rebootPolicy"));

template <>
inline constexpr auto schema<kinds::DataVolumeReference> =
    object(field<&kinds::DataVolumeReference::name>("name", "DataVolume in the same namespace.", required),
           field<&kinds::DataVolumeReference::hotpluggable>("hotpluggable", "Whether it may come and go."));

inline constexpr std::string_view kPullPolicies[] = {"Always", "IfNotPresent", "Never"};

template <>
inline constexpr auto schema<kinds::ContainerDisk> = object(
    field<&kinds::ContainerDisk::image>("image", "REGISTRY/REPOSITORY:TAG.", required),
    field<&kinds::ContainerDisk::path>("path", "The file in it; the one in the folder disk if empty."),
    field<&kinds::ContainerDisk::imagePullSecret>("imagePullSecret", "Secret for the registry."),
    field<&kinds::ContainerDisk::imagePullPolicy>("imagePullPolicy", "When it is fetched anew.", oneOf(kPullPolicies)));

template <>
inline constexpr auto schema<kinds::VolumeSpec> = object(
    field<&kinds::VolumeSpec::name>("name", "Name.", required),
    field<&kinds::VolumeSpec::persistentVolumeClaim>("persistentVolumeClaim", "A claim."),
    field<&kinds::VolumeSpec::dataVolume>("dataVolume", "A DataVolume."),
    field<&kinds::VolumeSpec::containerDisk>("containerDisk", "A disk out of a container image."),
    kept("hostDisk", "cloudInitNoCloud", "cloudInitConfigDrive", "sysprep", "ephemeral", "emptyDisk", "configMap",
         "secret", "downwardAPI", "serviceAccount", "downwardMetrics", "memoryDump", "containerPath"));

inline constexpr std::string_view kEvictionStrategies[] = {
    kinds::eviction_strategy::kNone, kinds::eviction_strategy::kLiveMigrate,
    kinds::eviction_strategy::kLiveMigrateIfPossible, kinds::eviction_strategy::kExternal};
inline constexpr std::string_view kStartStrategies[] = {"Paused"};

template <>
inline constexpr auto schema<kinds::VirtualMachineInstanceSpec> =
    object(field<&kinds::VirtualMachineInstanceSpec::domain>("domain", "The machine."),
           field<&kinds::VirtualMachineInstanceSpec::volumes>("volumes", "What its disks are made of."),
           field<&kinds::VirtualMachineInstanceSpec::nodeSelector>("nodeSelector", "Labels the node must have."),
           field<&kinds::VirtualMachineInstanceSpec::affinity>("affinity", "Where it may and may not go."),
           field<&kinds::VirtualMachineInstanceSpec::tolerations>("tolerations", "Taints it accepts."),
           field<&kinds::VirtualMachineInstanceSpec::evictionStrategy>(
               "evictionStrategy", "What becomes of the guest when its node is drained: LiveMigrate when unset.",
               oneOf(kEvictionStrategies)),
           field<&kinds::VirtualMachineInstanceSpec::startStrategy>("startStrategy", "Paused, if the guest is to wait.",
                                                                    oneOf(kStartStrategies)),
           field<&kinds::VirtualMachineInstanceSpec::terminationGracePeriodSeconds>(
               "terminationGracePeriodSeconds", "How long the guest may take to shut down; not asked to when unset.",
               atLeast(0)),
           kept("priorityClassName", "schedulerName", "serviceAccountName", "topologySpreadConstraints",
                "livenessProbe", "readinessProbe", "hostname", "subdomain", "networks", "dnsPolicy", "dnsConfig",
                "accessCredentials", "architecture", "resourceClaims", "utilityVolumes"));

template <>
inline constexpr auto schema<kinds::MigrationState> =
    object(field<&kinds::MigrationState::migrationUid>("migrationUid", "The migration."),
           field<&kinds::MigrationState::sourceNode>("sourceNode", "Where the guest comes from."),
           field<&kinds::MigrationState::sourcePod>("sourcePod", "Its pod there."),
           field<&kinds::MigrationState::targetNode>("targetNode", "Where the guest goes."),
           field<&kinds::MigrationState::targetPod>("targetPod", "Its pod there."),
           field<&kinds::MigrationState::startTimestamp>("startTimestamp", "When the move began."),
           field<&kinds::MigrationState::endTimestamp>("endTimestamp", "When it ended."),
           field<&kinds::MigrationState::completed>("completed", "Whether it has ended."),
           field<&kinds::MigrationState::failed>("failed", "Whether it ended without moving the guest."),
           field<&kinds::MigrationState::abortRequested>("abortRequested", "Whether it was to be cancelled."),
           field<&kinds::MigrationState::failureReason>("failureReason", "Why it failed."),
           field<&kinds::MigrationState::abortStatus>("abortStatus", "Whether it could be cancelled."),
           field<&kinds::MigrationState::mode>("mode", "How memory is copied."),
           field<&kinds::MigrationState::migrationPolicyName>("migrationPolicyName", "The policy that holds."),
           field<&kinds::MigrationState::migrationConfiguration>("migrationConfiguration", "The options that hold."),
           field<&kinds::MigrationState::targetNodeDomainDetected>("targetNodeDomainDetected",
                                                                   "Whether the guest has been seen on the target."),
           field<&kinds::MigrationState::targetNodeDomainReadyTimestamp>("targetNodeDomainReadyTimestamp",
                                                                         "When it was seen to run there."),
           open);

template <>
inline constexpr auto schema<kinds::ClaimFacts> =
    object(field<&kinds::ClaimFacts::claimName>("claimName", "Claim."),
           field<&kinds::ClaimFacts::accessModes>("accessModes", "How it can be mounted."),
           field<&kinds::ClaimFacts::volumeMode>("volumeMode", "Filesystem or Block."),
           field<&kinds::ClaimFacts::requests>("requests", "Size asked for."),
           field<&kinds::ClaimFacts::capacity>("capacity", "Size it got."), open);

template <>
inline constexpr auto schema<kinds::MigratedVolumeStatus> =
    object(field<&kinds::MigratedVolumeStatus::volumeName>("volumeName", "Volume that changes its claim."),
           field<&kinds::MigratedVolumeStatus::sourcePVCInfo>("sourcePVCInfo", "From."),
           field<&kinds::MigratedVolumeStatus::destinationPVCInfo>("destinationPVCInfo", "To."), open);

template <>
inline constexpr auto schema<kinds::HotplugVolume> = object(open);

template <>
inline constexpr auto schema<kinds::ContainerDiskVolume> = object(open);

template <>
inline constexpr auto schema<kinds::VolumeStatus> =
    object(field<&kinds::VolumeStatus::name>("name", "Volume.", required),
           field<&kinds::VolumeStatus::target>("target", "What the guest calls its disk."),
           field<&kinds::VolumeStatus::phase>("phase", "Pending, Bound, Ready or Detaching."),
           field<&kinds::VolumeStatus::reason>("reason", "One word for machines."),
           field<&kinds::VolumeStatus::message>("message", "A sentence for people."),
           field<&kinds::VolumeStatus::persistentVolumeClaimInfo>("persistentVolumeClaimInfo", "The claim behind it."),
           field<&kinds::VolumeStatus::hotplugVolume>("hotplugVolume", "There if it came to a running guest."),
           field<&kinds::VolumeStatus::containerDiskVolume>("containerDiskVolume",
                                                            "There if it came out of a container image."),
           field<&kinds::VolumeStatus::size>("size", "Bytes that the guest sees."), open);

template <>
inline constexpr auto schema<kinds::InstanceExtra> =
    object(field<&kinds::InstanceExtra::activePod>("activePod", "The pod whose domain is the guest."),
           field<&kinds::InstanceExtra::evacuationFollowsCordon>(
               "evacuationFollowsCordon", "Whether it leaves its node only as long as that is cordoned."));

template <>
inline constexpr auto schema<kinds::VirtualMachineInstanceStatus> = object(
    field<&kinds::VirtualMachineInstanceStatus::phase>("phase", "Phase."),
    field<&kinds::VirtualMachineInstanceStatus::nodeName>("nodeName", "The only node that may run the guest."),
    field<&kinds::VirtualMachineInstanceStatus::reason>("reason", "Why it is in this phase."),
    field<&kinds::VirtualMachineInstanceStatus::conditions>("conditions", "Conditions."),
    field<&kinds::VirtualMachineInstanceStatus::activePods>("activePods", "UIDs of its pods, and their nodes."),
    field<&kinds::VirtualMachineInstanceStatus::migrationState>("migrationState", "The latest move."),
    field<&kinds::VirtualMachineInstanceStatus::migratedVolumes>("migratedVolumes", "Volumes that move with it."),
    field<&kinds::VirtualMachineInstanceStatus::volumeStatus>("volumeStatus", "What has become of its volumes."),
    field<&kinds::VirtualMachineInstanceStatus::migrationNodeName>("migrationNodeName", "The node it is moving to."),
    field<&kinds::VirtualMachineInstanceStatus::migrationMethod>("migrationMethod", "Whether disks go along."),
    field<&kinds::VirtualMachineInstanceStatus::evacuationNodeName>("evacuationNodeName", "The node it is to leave."),
    field<&kinds::VirtualMachineInstanceStatus::phaseTransitionTimestamps>("phaseTransitionTimestamps", "When."),
    field<&kinds::VirtualMachineInstanceStatus::godwit>("godwit", "What Godwit adds."), open);

template <>
inline constexpr auto schema<kinds::VirtualMachineInstance> =
    object(field<&kinds::VirtualMachineInstance::metadata>("metadata", "Metadata."),
           field<&kinds::VirtualMachineInstance::spec>("spec", "The machine.", required),
           field<&kinds::VirtualMachineInstance::status>("status", "State."));

inline constexpr std::string_view kVmiShortNames[] = {"vmi", "vmis"};
inline constexpr Column kVmiColumns[] = {
    {"Age", ".metadata.creationTimestamp", "date"},
    {"Phase", ".status.phase"},
    {"NodeName", ".status.nodeName"},
    {"Ready", ".status.conditions[?(@.type==\"Ready\")].status"},
    {"Reason", ".status.reason"},
    {"Live-Migratable", ".status.conditions[?(@.type==\"LiveMigratable\")].status", "string", 1},
    {"Paused", ".status.conditions[?(@.type==\"Paused\")].status", "string", 1},
};
inline constexpr std::string_view kVmiFieldSelectors[] = {"status.nodeName"};
// As in KubeVirt, a VMI's status is written with the object: one patch can change
// the node and the volumes together, or neither.
template <>
inline constexpr Kind kind<kinds::VirtualMachineInstance> = {.group = "kubevirt.io",
                                                             .version = "v1",
                                                             .name = "VirtualMachineInstance",
                                                             .plural = "virtualmachineinstances",
                                                             .singular = "virtualmachineinstance",
                                                             .shortNames = kVmiShortNames,
                                                             .hasStatus = false,
                                                             .columns = kVmiColumns,
                                                             .fieldSelectors = kVmiFieldSelectors};

extern template const Shape& shapeFor<kinds::VirtualMachineInstance>();
extern template const Shape& shapeFor<kinds::VolumeSpec>();

}  // namespace godwit::schema
