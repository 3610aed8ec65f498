#pragma once

#include "kinds/virtual_machine_instance.hpp"
#include "schema/codec.hpp"

// VirtualMachineInstanceMigration: one attempt to move a VMI, its volumes, or both.
namespace godwit::kinds {

struct MigratedClaim {
  std::string sourceClaim;
  std::string destinationClaim;

  bool operator==(const MigratedClaim&) const = default;
};

// How volumes are moved: where the guest is, or along with it.
enum class Mechanism { Auto, InPlace, AcrossNodes };

struct MigrationSpec {
  std::string vmiName;
  std::map<std::string, std::string> addedNodeSelector;
  std::optional<NodeSelectorTerm> addedNodeSelectorTerm = {};
  std::vector<MigratedClaim> migratedVolumes;
  Mechanism mechanism = Mechanism::Auto;

  bool operator==(const MigrationSpec&) const = default;

  // Whether it leaves out nodes that the VM itself would go to. A term without requirements leaves out none.
  bool restricted() const {
    return !addedNodeSelector.empty() || (addedNodeSelectorTerm && !addedNodeSelectorTerm->empty());
  }
};

enum class MigrationPhase {
  Unset,
  Pending,
  Scheduling,
  Scheduled,
  PreparingTarget,
  TargetReady,
  Running,
  Succeeded,
  Failed,
};

constexpr bool isFinal(MigrationPhase phase) {
  return phase == MigrationPhase::Succeeded || phase == MigrationPhase::Failed;
}

// How far the move is; written by the source's node, at most once a second.
struct MoveProgress {
  std::string stage;  // Preparing, Copying, SwitchingOver, ...
  std::int64_t disksDone = 0;
  std::int64_t disksTotal = 0;
  std::int64_t memoryDone = 0;
  std::int64_t memoryTotal = 0;

  bool operator==(const MoveProgress&) const = default;
};

struct MigrationExtra {
  std::string reason;   // of the present phase, one word
  std::string message;  // the same for people
  std::string mechanism;
  std::optional<MoveProgress> progress;

  bool operator==(const MigrationExtra&) const = default;
};

struct MigrationStatus {
  MigrationPhase phase = MigrationPhase::Unset;
  std::vector<Condition> conditions;
  std::vector<PhaseTransition> phaseTransitionTimestamps;
  std::optional<MigrationState> migrationState;
  MigrationExtra godwit;

  bool operator==(const MigrationStatus&) const = default;
};

struct VirtualMachineInstanceMigration {
  schema::Metadata metadata;
  MigrationSpec spec;
  MigrationStatus status;

  bool operator==(const VirtualMachineInstanceMigration&) const = default;
};

// What is wrong with a migration that none of its fields shows alone.
std::vector<FieldProblem> problemsOf(const VirtualMachineInstanceMigration& migration);

}  // namespace godwit::kinds

namespace godwit::schema {

template <>
inline constexpr auto names<kinds::Mechanism> =
    std::to_array<std::pair<kinds::Mechanism, std::string_view>>({{kinds::Mechanism::Auto, "Auto"},
                                                                  {kinds::Mechanism::InPlace, "InPlace"},
                                                                  {kinds::Mechanism::AcrossNodes, "AcrossNodes"}});

template <>
inline constexpr auto names<kinds::MigrationPhase> = std::to_array<std::pair<kinds::MigrationPhase, std::string_view>>(
    {{kinds::MigrationPhase::Unset, ""},
     {kinds::MigrationPhase::Pending, "Pending"},
     {kinds::MigrationPhase::Scheduling, "Scheduling"},
     {kinds::MigrationPhase::Scheduled, "Scheduled"},
     {kinds::MigrationPhase::PreparingTarget, "PreparingTarget"},
     {kinds::MigrationPhase::TargetReady, "TargetReady"},
     {kinds::MigrationPhase::Running, "Running"},
     {kinds::MigrationPhase::Succeeded, "Succeeded"},
     {kinds::MigrationPhase::Failed, "Failed"}});

template <>
inline constexpr auto schema<kinds::MigratedClaim> =
    object(field<&kinds::MigratedClaim::sourceClaim>("sourceClaim", "Claim that the VM uses now.", required),
           field<&kinds::MigratedClaim::destinationClaim>("destinationClaim", "Claim that it is to use.", required));

inline constexpr std::string_view kAddedTermDoc =
    "Optional, and not recommended as a habit: the scheduler finds the best node by itself. For this one migration the "
    "target must also meet all of these requirements (matchExpressions on labels, matchFields on metadata.name), "
    "beside "
    "all that the VM itself asks for: they are added to each of its required node affinity terms, so they can only "
    "leave out nodes. Neither the VM nor a later migration is touched. A list of one term is understood, too.";

template <>
inline constexpr auto schema<kinds::MigrationSpec> = object(
    field<&kinds::MigrationSpec::vmiName>("vmiName", "The instance to move, in the same namespace.", required,
                                          immutable),
    field<&kinds::MigrationSpec::addedNodeSelector>(
        "addedNodeSelector",
        "Labels the target node must have for this one migration, beside what the VM itself asks for. Optional, and "
        "not "
        "recommended as a habit: the scheduler finds the best node by itself.",
        immutable),
    field<&kinds::MigrationSpec::addedNodeSelectorTerm>("addedNodeSelectorTerm", kAddedTermDoc, immutable, orListOfOne),
    field<&kinds::MigrationSpec::migratedVolumes>("migratedVolumes", "Volumes that change their claim.", immutable),
    field<&kinds::MigrationSpec::mechanism>(
        "mechanism", "How volumes move: Auto moves them in place wherever the node reaches both.", immutable),
    kept("sendTo", "receive", "priority"));

template <>
inline constexpr auto schema<kinds::MoveProgress> =
    object(field<&kinds::MoveProgress::stage>("stage", "What is being done."),
           field<&kinds::MoveProgress::disksDone>("disksDone", "Bytes of disks copied."),
           field<&kinds::MoveProgress::disksTotal>("disksTotal", "Bytes of disks to copy."),
           field<&kinds::MoveProgress::memoryDone>("memoryDone", "Bytes of memory copied."),
           field<&kinds::MoveProgress::memoryTotal>("memoryTotal", "Bytes of memory to copy."));

template <>
inline constexpr auto schema<kinds::MigrationExtra> =
    object(field<&kinds::MigrationExtra::reason>("reason", "Why it is in this phase, in one word."),
           field<&kinds::MigrationExtra::message>("message", "The same for people."),
           field<&kinds::MigrationExtra::mechanism>("mechanism", "InPlace or AcrossNodes, once it is chosen."),
           field<&kinds::MigrationExtra::progress>("progress", "How far the move is."));

template <>
inline constexpr auto schema<kinds::MigrationStatus> =
    object(field<&kinds::MigrationStatus::phase>("phase", "Phase."),
           field<&kinds::MigrationStatus::conditions>("conditions", "Conditions."),
           field<&kinds::MigrationStatus::phaseTransitionTimestamps>("phaseTransitionTimestamps", "When."),
           field<&kinds::MigrationStatus::migrationState>("migrationState", "Who takes part."),
           field<&kinds::MigrationStatus::godwit>("godwit", "What Godwit adds."), open);

template <>
inline constexpr auto schema<kinds::VirtualMachineInstanceMigration> =
    object(field<&kinds::VirtualMachineInstanceMigration::metadata>("metadata", "Metadata."),
           field<&kinds::VirtualMachineInstanceMigration::spec>("spec", "What to move.", required),
           field<&kinds::VirtualMachineInstanceMigration::status>("status", "How far it is."));

inline constexpr std::string_view kVmimShortNames[] = {"vmim", "vmims"};
inline constexpr Column kVmimColumns[] = {
    {"Phase", ".status.phase"},
    {"VMI", ".spec.vmiName"},
    {"Source", ".status.migrationState.sourceNode"},
    {"Target", ".status.migrationState.targetNode"},
    {"Reason", ".status.godwit.reason"},
    {"Age", ".metadata.creationTimestamp", "date"},
};
template <>
inline constexpr Kind kind<kinds::VirtualMachineInstanceMigration> = {.group = "kubevirt.io",
                                                                      .version = "v1",
                                                                      .name = "VirtualMachineInstanceMigration",
                                                                      .plural = "virtualmachineinstancemigrations",
                                                                      .singular = "virtualmachineinstancemigration",
                                                                      .shortNames = kVmimShortNames,
                                                                      .columns = kVmimColumns};

extern template const Shape& shapeFor<kinds::VirtualMachineInstanceMigration>();

}  // namespace godwit::schema
