#pragma once

#include "kinds/virtual_machine_instance.hpp"
#include "schema/codec.hpp"

namespace godwit::kinds {

struct InstanceTemplate {
  schema::Metadata metadata;
  VirtualMachineInstanceSpec spec;

  bool operator==(const InstanceTemplate&) const = default;
};

struct VirtualMachineSpec {
  std::optional<bool> running;  // older form of runStrategy
  std::string runStrategy;
  InstanceTemplate instance;
  json::value dataVolumeTemplates;
  std::string updateVolumesStrategy;

  bool operator==(const VirtualMachineSpec&) const = default;

  // The one in force, whichever form it has.
  std::string strategy() const {
    if (!running) return runStrategy;
    return *running ? "Always" : "Halted";
  }
};

// Instances that ended soon after they were made, one after the other.
struct StartFailure {
  std::int64_t consecutiveFailCount = 0;
  std::string lastFailedVMIUID;
  std::optional<Timestamp> retryAfterTimestamp;

  bool operator==(const StartFailure&) const = default;
};

// Something that a person asked for and that is not the wish itself: a start of a Manual machine, a restart.
struct StateChangeRequest {
  std::string action;                       // Start or Stop
  std::map<std::string, std::string> data;  // "paused": "true"
  std::string uid;                          // of the instance to stop

  bool operator==(const StateChangeRequest&) const = default;
};

// Volumes that are to change their claims under the guest, and have not yet.
struct VolumesOnTheirWay {
  std::vector<MigratedVolumeStatus> migratedVolumes;

  bool operator==(const VolumesOnTheirWay&) const = default;
};

struct VolumeUpdateState {
  std::optional<VolumesOnTheirWay> volumeMigrationState;

  bool operator==(const VolumeUpdateState&) const = default;
};

// What a volume of a guest was made of when the guest was last seen.
struct VolumeInUse {
  std::string name;
  std::string claimName;

  bool operator==(const VolumeInUse&) const = default;
};

struct MachineExtra {
  std::vector<VolumeInUse> volumes;

  bool operator==(const MachineExtra&) const = default;
};

struct VirtualMachineStatus {
  bool created = false;
  bool ready = false;
  std::string printableStatus;
  std::vector<Condition> conditions;
  std::optional<StartFailure> startFailure;
  std::vector<StateChangeRequest> stateChangeRequests = {};
  std::string runStrategy = {};  // as last seen
  std::int64_t observedGeneration = 0;
  std::int64_t desiredGeneration = 0;
  std::optional<VolumeUpdateState> volumeUpdateState = {};
  MachineExtra godwit = {};

  bool operator==(const VirtualMachineStatus&) const = default;
};

struct VirtualMachine {
  schema::Metadata metadata;
  VirtualMachineSpec spec;
  VirtualMachineStatus status;

  bool operator==(const VirtualMachine&) const = default;
};

namespace update_strategy {
inline constexpr std::string_view kMigration = "Migration";
inline constexpr std::string_view kReplacement = "Replacement";
}  // namespace update_strategy

// A machine says in one way, and only one, when it runs.
std::vector<FieldProblem> problemsOf(const VirtualMachine& machine);

}  // namespace godwit::kinds

namespace godwit::schema {

inline constexpr std::string_view kRunStrategies[] = {"Always", "RerunOnFailure", "Halted", "Manual", "Once"};
inline constexpr std::string_view kUpdateStrategies[] = {kinds::update_strategy::kMigration,
                                                         kinds::update_strategy::kReplacement};

template <>
inline constexpr auto schema<kinds::InstanceTemplate> =
    object(field<&kinds::InstanceTemplate::metadata>("metadata", "Labels and annotations of the instance."),
           field<&kinds::InstanceTemplate::spec>("spec", "The machine.", required));

template <>
inline constexpr auto schema<kinds::VirtualMachineSpec> =
    object(field<&kinds::VirtualMachineSpec::running>("running", "Whether it runs; older form of runStrategy."),
           field<&kinds::VirtualMachineSpec::runStrategy>("runStrategy", "When it runs.", oneOf(kRunStrategies)),
           field<&kinds::VirtualMachineSpec::instance>("template", "The instance it runs.", required),
           field<&kinds::VirtualMachineSpec::dataVolumeTemplates>("dataVolumeTemplates", "DataVolumes made with it."),
           field<&kinds::VirtualMachineSpec::updateVolumesStrategy>(
               "updateVolumesStrategy",
               "What a change of claims means to a running guest: Migration moves its disks to the new ones, "
               "Replacement (as when unset) waits for a restart.",
               oneOf(kUpdateStrategies)),
           kept("instancetype", "preference"));

template <>
inline constexpr auto schema<kinds::StartFailure> = object(
    field<&kinds::StartFailure::consecutiveFailCount>("consecutiveFailCount", "How many in a row."),
    field<&kinds::StartFailure::lastFailedVMIUID>("lastFailedVMIUID", "The last of them."),
    field<&kinds::StartFailure::retryAfterTimestamp>("retryAfterTimestamp", "When the next instance may be made."));

template <>
inline constexpr auto schema<kinds::StateChangeRequest> =
    object(field<&kinds::StateChangeRequest::action>("action", "Start or Stop.", required),
           field<&kinds::StateChangeRequest::data>("data", "Further words."),
           field<&kinds::StateChangeRequest::uid>("uid", "The instance to stop."));

template <>
inline constexpr auto schema<kinds::VolumesOnTheirWay> =
    object(field<&kinds::VolumesOnTheirWay::migratedVolumes>("migratedVolumes", "From where, and where to."), open);

template <>
inline constexpr auto schema<kinds::VolumeUpdateState> =
    object(field<&kinds::VolumeUpdateState::volumeMigrationState>("volumeMigrationState", "Those that migrate."), open);

template <>
inline constexpr auto schema<kinds::VolumeInUse> =
    object(field<&kinds::VolumeInUse::name>("name", "The volume.", required),
           field<&kinds::VolumeInUse::claimName>("claimName", "The claim that holds its data.", required));

template <>
inline constexpr auto schema<kinds::MachineExtra> = object(
    field<&kinds::MachineExtra::volumes>("volumes", "The claims that the guest uses, or used when it was last seen."));

template <>
inline constexpr auto schema<kinds::VirtualMachineStatus> = object(
    field<&kinds::VirtualMachineStatus::created>("created", "Whether its instance exists."),
    field<&kinds::VirtualMachineStatus::ready>("ready", "Whether its instance runs."),
    field<&kinds::VirtualMachineStatus::printableStatus>("printableStatus", "State, for people."),
    field<&kinds::VirtualMachineStatus::conditions>("conditions", "Conditions."),
    field<&kinds::VirtualMachineStatus::startFailure>("startFailure", "Why it waits before it starts again."),
    field<&kinds::VirtualMachineStatus::stateChangeRequests>("stateChangeRequests", "What was asked for, once."),
    field<&kinds::VirtualMachineStatus::runStrategy>("runStrategy", "When it runs, as last seen."),
    field<&kinds::VirtualMachineStatus::observedGeneration>("observedGeneration", "Generation that this is about."),
    field<&kinds::VirtualMachineStatus::desiredGeneration>("desiredGeneration", "Generation of the spec."),
    field<&kinds::VirtualMachineStatus::volumeUpdateState>("volumeUpdateState",
                                                           "Volumes whose new claims the guest does not use yet."),
    field<&kinds::VirtualMachineStatus::godwit>("godwit", "What Godwit adds."), open);

template <>
inline constexpr auto schema<kinds::VirtualMachine> =
    object(field<&kinds::VirtualMachine::metadata>("metadata", "Metadata."),
           field<&kinds::VirtualMachine::spec>("spec", "The machine, and when it runs.", required),
           field<&kinds::VirtualMachine::status>("status", "State."));

inline constexpr std::string_view kVmShortNames[] = {"vm", "vms"};
inline constexpr Column kVmColumns[] = {
    {"Age", ".metadata.creationTimestamp", "date"},
    {"Status", ".status.printableStatus"},
    {"Ready", ".status.conditions[?(@.type==\"Ready\")].status"},
};
template <>
inline constexpr Kind kind<kinds::VirtualMachine> = {.group = "kubevirt.io",
                                                     .version = "v1",
                                                     .name = "VirtualMachine",
                                                     .plural = "virtualmachines",
                                                     .singular = "virtualmachine",
                                                     .shortNames = kVmShortNames,
                                                     .columns = kVmColumns};

extern template const Shape& shapeFor<kinds::VirtualMachine>();

}  // namespace godwit::schema
