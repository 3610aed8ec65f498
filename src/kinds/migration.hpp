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

// How volumes are moved: where the guest is, along with it, or while there is none.
enum class Mechanism { Auto, InPlace, AcrossNodes, Offline };

// Who goes first when not all can go at a time. One that says nothing comes last.
enum class MigrationPriority { Unset, SystemMaintenance, UserTriggered, SystemCritical };

struct MigrationSpec {
  std::string vmiName;
  std::map<std::string, std::string> addedNodeSelector;
  std::optional<NodeSelectorTerm> addedNodeSelectorTerm = {};
  std::vector<MigratedClaim> migratedVolumes;
  Mechanism mechanism = Mechanism::Auto;
  MigrationPriority priority = MigrationPriority::Unset;
  std::optional<MigrationOptions> options = {};
  bool verify = false;  // the copies are compared before the switch-over

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

struct DiskProgress {
  std::string name;  // as the guest knows it, "vda"
  std::int64_t bytesDone = 0;
  std::int64_t bytesTotal = 0;

  bool operator==(const DiskProgress&) const = default;
};

// Whether the copy of a disk was found to be what it is a copy of.
struct DiskVerification {
  std::string name;            // as the guest knows it, "vda"
  std::string claim;           // that it is copied from
  std::int64_t bytesDone = 0;  // compared, and found equal
  std::int64_t bytesTotal = 0;
  std::string result = {};                // Equal, Different or Impossible; empty until that is known
  std::optional<Timestamp> endTime = {};  // since when

  bool operator==(const DiskVerification&) const = default;
};

// How far the move is; written by the source's node, at most once a second, and at its end with that.
struct MoveProgress {
  std::string stage;  // Preparing, Copying, SwitchingOver, ...
  std::int64_t disksDone = 0;
  std::int64_t disksTotal = 0;
  std::int64_t memoryDone = 0;
  std::int64_t memoryTotal = 0;
  std::vector<DiskProgress> disks = {};
  std::vector<DiskVerification> verification = {};
  std::int64_t bytesPerSecond = 0;
  std::int64_t dirtyBytesPerSecond = 0;
  std::int64_t iteration = 0;
  std::optional<std::int64_t> secondsLeft = {};  // unknown while it does not converge
  std::int64_t throttlePercent = 0;
  std::optional<std::int64_t> downtimeMs = {};  // once the guest runs at the target
  std::string advice = {};                      // what would help a move that does not converge

  bool operator==(const MoveProgress&) const = default;
};

// Where a migration stands that waits for its turn.
struct QueuePlace {
  std::int64_t position = 0;            // 1 is next
  std::vector<std::string> ahead = {};  // the first few of those before it, "namespace/name"
  std::string limit = {};               // what it waits for

  bool operator==(const QueuePlace&) const = default;
};

// Why a migration failed, for those who decide what to do about it.
struct MigrationFailure {
  std::string stage;         // the phase, or the mover's stage
  std::string failureClass;  // Transient, Capacity, Topology, Quota, Permanent, Cancelled
  std::string reason;        // one word
  std::string message;
  std::string hint;  // what to do

  bool operator==(const MigrationFailure&) const = default;
};

struct MigrationExtra {
  std::string reason;   // of the present phase, one word
  std::string message;  // the same for people
  std::string mechanism;
  std::optional<MoveProgress> progress;
  std::optional<QueuePlace> queue = {};
  std::int64_t attempt = 0;  // of those that were made for one purpose
  std::optional<Timestamp> nextAttempt = {};
  std::optional<MigrationFailure> failure = {};
  json::value machinePatch = {};  // RFC 6902: what the VM's spec becomes when its volumes have moved

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

inline constexpr std::string_view kNotAcrossNodes =
    "must be left out with mechanism AcrossNodes or Offline: only copies under a guest that stays on its node can be "
    "compared or kept in sync";

// What is wrong with a migration that none of its fields shows alone.
std::vector<FieldProblem> problemsOf(const VirtualMachineInstanceMigration& migration);
// Of moves that are listed at `path`: each claim is one of the migration's namespace, and none is named twice.
std::vector<FieldProblem> problemsOf(const std::vector<MigratedClaim>& moved, const std::string& path);

}  // namespace godwit::kinds

namespace godwit::schema {

template <>
inline constexpr auto names<kinds::Mechanism> =
    std::to_array<std::pair<kinds::Mechanism, std::string_view>>({{kinds::Mechanism::Auto, "Auto"},
                                                                  {kinds::Mechanism::InPlace, "InPlace"},
                                                                  {kinds::Mechanism::AcrossNodes, "AcrossNodes"},
                                                                  {kinds::Mechanism::Offline, "Offline"}});

template <>
inline constexpr auto names<kinds::MigrationPriority> =
    std::to_array<std::pair<kinds::MigrationPriority, std::string_view>>(
        {{kinds::MigrationPriority::Unset, ""},
         {kinds::MigrationPriority::SystemMaintenance, "system-maintenance"},
         {kinds::MigrationPriority::UserTriggered, "user-triggered"},
         {kinds::MigrationPriority::SystemCritical, "system-critical"}});

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
    field<&kinds::MigrationSpec::priority>("priority", "Whether it goes before others that wait for their turn, too.",
                                           immutable),
    field<&kinds::MigrationSpec::options>(
        "options", "What holds for this migration whatever cluster and policy say; may be changed while it runs."),
    field<&kinds::MigrationSpec::verify>(
        "verify", "Whether each copy of a volume is compared with its source before the guest goes on with it.",
        immutable),
    kept("sendTo", "receive"));

template <>
inline constexpr auto schema<kinds::DiskProgress> =
    object(field<&kinds::DiskProgress::name>("name", "The disk, as the guest knows it."),
           field<&kinds::DiskProgress::bytesDone>("bytesDone", "Bytes copied."),
           field<&kinds::DiskProgress::bytesTotal>("bytesTotal", "Bytes to copy."));

template <>
inline constexpr auto schema<kinds::DiskVerification> =
    object(field<&kinds::DiskVerification::name>("name", "The disk, as the guest knows it."),
           field<&kinds::DiskVerification::claim>("claim", "The claim it is copied from."),
           field<&kinds::DiskVerification::bytesDone>("bytesDone", "Bytes compared, and found equal."),
           field<&kinds::DiskVerification::bytesTotal>("bytesTotal", "Bytes to compare."),
           field<&kinds::DiskVerification::result>("result", "Equal, Different or Impossible, once it is known."),
           field<&kinds::DiskVerification::endTime>("endTime", "Since when it is known."));

template <>
inline constexpr auto schema<kinds::QueuePlace> =
    object(field<&kinds::QueuePlace::position>("position", "1 is next."),
           field<&kinds::QueuePlace::ahead>("ahead", "The first few of those before it."),
           field<&kinds::QueuePlace::limit>("limit", "What it waits for."));

template <>
inline constexpr auto schema<kinds::MigrationFailure> = object(
    field<&kinds::MigrationFailure::stage>("stage", "How far it had come."),
    field<&kinds::MigrationFailure::failureClass>("class",
                                                  "Transient, Capacity, Topology, Quota, Permanent or Cancelled."),
    field<&kinds::MigrationFailure::reason>("reason", "Why, in one word."),
    field<&kinds::MigrationFailure::message>("message", "The same for people."),
    field<&kinds::MigrationFailure::hint>("hint", "What to do about it."));

template <>
inline constexpr auto schema<kinds::MoveProgress> =
    object(field<&kinds::MoveProgress::stage>("stage", "What is being done."),
           field<&kinds::MoveProgress::disksDone>("disksDone", "Bytes of disks copied."),
           field<&kinds::MoveProgress::disksTotal>("disksTotal", "Bytes of disks to copy."),
           field<&kinds::MoveProgress::memoryDone>("memoryDone", "Bytes of memory copied."),
           field<&kinds::MoveProgress::memoryTotal>("memoryTotal", "Bytes of memory to copy."),
           field<&kinds::MoveProgress::disks>("disks", "Disk by disk."),
           field<&kinds::MoveProgress::verification>("verification", "What the comparison of the copies has shown."),
           field<&kinds::MoveProgress::bytesPerSecond>("bytesPerSecond", "How fast it goes."),
           field<&kinds::MoveProgress::dirtyBytesPerSecond>("dirtyBytesPerSecond",
                                                            "How fast the guest changes what is copied already."),
           field<&kinds::MoveProgress::iteration>("iteration", "How often memory has been gone through."),
           field<&kinds::MoveProgress::secondsLeft>("secondsLeft", "Until it ends, if it goes on like this."),
           field<&kinds::MoveProgress::throttlePercent>("throttlePercent", "How much the guest is slowed down."),
           field<&kinds::MoveProgress::downtimeMs>("downtimeMs", "How long the guest stood still."),
           field<&kinds::MoveProgress::advice>("advice", "What would help a move that does not converge."));

template <>
inline constexpr auto schema<kinds::MigrationExtra> = object(
    field<&kinds::MigrationExtra::reason>("reason", "Why it is in this phase, in one word."),
    field<&kinds::MigrationExtra::message>("message", "The same for people."),
    field<&kinds::MigrationExtra::mechanism>("mechanism", "InPlace or AcrossNodes, once it is chosen."),
    field<&kinds::MigrationExtra::progress>("progress", "How far the move is."),
    field<&kinds::MigrationExtra::queue>("queue", "Where it stands while it waits for its turn."),
    field<&kinds::MigrationExtra::attempt>("attempt", "Which attempt it is; those before it had the same purpose."),
    field<&kinds::MigrationExtra::nextAttempt>("nextAttempt", "When the next one begins."),
    field<&kinds::MigrationExtra::failure>("failure", "Why it failed, and what to do."),
    field<&kinds::MigrationExtra::machinePatch>(
        "machinePatch", "The JSON patch by which the VM's spec follows its volumes, for whoever keeps it elsewhere."));

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
