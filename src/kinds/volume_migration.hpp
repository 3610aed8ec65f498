#pragma once

#include "kinds/migration.hpp"
#include "schema/codec.hpp"

// VolumeMigration: the wish that volumes change their claims, under a running guest or while there is none.
namespace godwit::kinds {

enum class SourceReclaimPolicy { Retain, Delete };

struct MigratedVolume {
  std::string sourceClaim;
  std::string destinationClaim;
  SourceReclaimPolicy sourceReclaimPolicy = SourceReclaimPolicy::Retain;
  std::string destinationStorageClass = {};  // of the claim that is made when none is named

  bool operator==(const MigratedVolume&) const = default;
};

struct VolumeMigrationSpec {
  std::vector<MigratedVolume> migratedVolume;
  Mechanism mechanism = Mechanism::Auto;
  bool verify = false;          // the copies are compared before the switch-over
  std::string keepInSync = {};  // how long one can go back, "10m"; empty: not at all
  bool rollBack = false;        // back to the sources
  std::optional<MigrationOptions> options = {};

  bool operator==(const VolumeMigrationSpec&) const = default;
};

enum class VolumeMigrationPhase { Unset, Pending, Scheduling, Running, Succeeded, Failed, Unknown };

constexpr bool isFinal(VolumeMigrationPhase phase) {
  return phase == VolumeMigrationPhase::Succeeded || phase == VolumeMigrationPhase::Failed;
}

enum class VolumeValidation { Valid, Pending, Rejected };

struct VolumeMigrationState : MigratedVolume {
  VolumeValidation validation = VolumeValidation::Valid;
  std::string reason;
  std::string sourceClaimUid = {};  // tells it from a claim that is given its name afterwards
  std::optional<DiskVerification> verification = {};

  bool operator==(const VolumeMigrationState&) const = default;
};

// What becomes of the sources while one can go back to them. The last two are ends.
enum class WayBackPhase {
  Unset,
  Copying,    // what the guest has written since is on its way back
  Open,       // they are equal to what the guest uses, and are kept so
  Returning,  // the guest goes back to them
  Closing,    // they are no longer kept equal
  Returned,
  Closed,
};

constexpr bool isFinal(WayBackPhase phase) { return phase == WayBackPhase::Returned || phase == WayBackPhase::Closed; }

struct WayBack {
  WayBackPhase phase = WayBackPhase::Unset;
  std::string reason;         // one word
  std::string message;        // the same for people
  std::string migrationName;  // that would go back
  std::optional<Timestamp> openedAt = {};
  std::optional<Timestamp> closesAt = {};

  bool operator==(const WayBack&) const = default;
};

struct VolumeMigrationStatus {
  std::vector<VolumeMigrationState> volumeMigrationStates;
  std::string virtualMachineInstanceName;
  std::string virtualMachineMigrationName;
  std::optional<Timestamp> startTimestamp;
  std::optional<Timestamp> endTimestamp;
  VolumeMigrationPhase phase = VolumeMigrationPhase::Unset;
  std::vector<PhaseTransition> phaseTransitionTimestamps;
  std::optional<WayBack> wayBack = {};
  MigrationExtra godwit;

  bool operator==(const VolumeMigrationStatus&) const = default;
};

struct VolumeMigration {
  schema::Metadata metadata;
  VolumeMigrationSpec spec;
  VolumeMigrationStatus status;

  bool operator==(const VolumeMigration&) const = default;
};

// Whether the wish has the claim in hands at present, to copy it or to copy to it without a guest: none may start on
// it.
bool holdsClaim(const VolumeMigration& wish, const std::string& claim);

// What is wrong with a volume migration that none of its fields shows alone.
std::vector<FieldProblem> problemsOf(const VolumeMigration& wish);

}  // namespace godwit::kinds

namespace godwit::schema {

template <>
inline constexpr auto names<kinds::SourceReclaimPolicy> =
    std::to_array<std::pair<kinds::SourceReclaimPolicy, std::string_view>>(
        {{kinds::SourceReclaimPolicy::Retain, "Retain"}, {kinds::SourceReclaimPolicy::Delete, "Delete"}});

template <>
inline constexpr auto names<kinds::VolumeMigrationPhase> =
    std::to_array<std::pair<kinds::VolumeMigrationPhase, std::string_view>>(
        {{kinds::VolumeMigrationPhase::Unset, ""},
         {kinds::VolumeMigrationPhase::Pending, "Pending"},
         {kinds::VolumeMigrationPhase::Scheduling, "Scheduling"},
         {kinds::VolumeMigrationPhase::Running, "Running"},
         {kinds::VolumeMigrationPhase::Succeeded, "Succeeded"},
         {kinds::VolumeMigrationPhase::Failed, "Failed"},
         {kinds::VolumeMigrationPhase::Unknown, "Unknown"}});

template <>
inline constexpr auto names<kinds::WayBackPhase> =
    std::to_array<std::pair<kinds::WayBackPhase, std::string_view>>({{kinds::WayBackPhase::Unset, ""},
                                                                     {kinds::WayBackPhase::Copying, "Copying"},
                                                                     {kinds::WayBackPhase::Open, "Open"},
                                                                     {kinds::WayBackPhase::Returning, "Returning"},
                                                                     {kinds::WayBackPhase::Closing, "Closing"},
                                                                     {kinds::WayBackPhase::Returned, "Returned"},
                                                                     {kinds::WayBackPhase::Closed, "Closed"}});

template <>
inline constexpr auto names<kinds::VolumeValidation> =
    std::to_array<std::pair<kinds::VolumeValidation, std::string_view>>({{kinds::VolumeValidation::Valid, "Valid"},
                                                                         {kinds::VolumeValidation::Pending, "Pending"},
                                                                         {kinds::VolumeValidation::Rejected,
                                                                          "Rejected"}});

template <>
inline constexpr auto schema<kinds::MigratedVolume> =
    object(field<&kinds::MigratedVolume::sourceClaim>("sourceClaim", "Claim that the VM uses now.", required),
           field<&kinds::MigratedVolume::destinationClaim>(
               "destinationClaim", "Claim that it is to use; one is made if only destinationStorageClass is said."),
           field<&kinds::MigratedVolume::sourceReclaimPolicy>("sourceReclaimPolicy",
                                                              "What becomes of the source claim after success."),
           field<&kinds::MigratedVolume::destinationStorageClass>(
               "destinationStorageClass", "Class of the claim that is made for the volume when none is named."));

template <>
inline constexpr auto schema<kinds::VolumeMigrationSpec> = object(
    field<&kinds::VolumeMigrationSpec::migratedVolume>("migratedVolume", "The volumes; all of them move, or none.",
                                                       required, immutable, alias("migrationVolumes")),
    field<&kinds::VolumeMigrationSpec::mechanism>("mechanism",
                                                  "Auto moves them under the guest that uses them, in place "
                                                  "wherever its node reaches both; Offline copies them while no "
                                                  "guest does.",
                                                  immutable),
    field<&kinds::VolumeMigrationSpec::verify>(
        "verify", "Whether each copy is compared with its source before the guest goes on with it.", immutable),
    field<&kinds::VolumeMigrationSpec::keepInSync>(
        "keepInSync",
        "For how long, like \"10m\", the sources are kept equal to what the guest uses after the switch-over; "
        "spec.rollBack goes back to them.",
        immutable),
    field<&kinds::VolumeMigrationSpec::rollBack>("rollBack",
                                                 "Set it to go back to the sources, while they are kept in sync."),
    field<&kinds::VolumeMigrationSpec::options>(
        "options", "As of a VirtualMachineInstanceMigration, the bandwidth for one; may be changed while it runs."));

template <>
inline constexpr auto schema<kinds::VolumeMigrationState> =
    object(field<&kinds::VolumeMigrationState::sourceClaim>("sourceClaim", "Claim that the VM used."),
           field<&kinds::VolumeMigrationState::destinationClaim>("destinationClaim", "Claim that it is to use."),
           field<&kinds::VolumeMigrationState::sourceReclaimPolicy>("sourceReclaimPolicy",
                                                                    "What becomes of the source claim.", required),
           field<&kinds::VolumeMigrationState::destinationStorageClass>("destinationStorageClass",
                                                                        "Class that a claim was made of."),
           field<&kinds::VolumeMigrationState::validation>("validation", "Valid, Pending or Rejected.", required),
           field<&kinds::VolumeMigrationState::reason>("reason", "Why it is not valid."),
           field<&kinds::VolumeMigrationState::sourceClaimUid>("sourceClaimUID",
                                                               "Of the claim that bore the name when it was judged."),
           field<&kinds::VolumeMigrationState::verification>("verification", "What comparing the copy has shown."));

template <>
inline constexpr auto schema<kinds::WayBack> =
    object(field<&kinds::WayBack::phase>("phase", "Copying, Open, Returning, Closing, Returned or Closed.", required),
           field<&kinds::WayBack::reason>("reason", "Why, in one word."),
           field<&kinds::WayBack::message>("message", "The same for people."),
           field<&kinds::WayBack::migrationName>("migrationName", "The migration that would go back."),
           field<&kinds::WayBack::openedAt>("openedAt", "Since when one can go back at once."),
           field<&kinds::WayBack::closesAt>("closesAt", "Until when."));

template <>
inline constexpr auto schema<kinds::VolumeMigrationStatus> = object(
    field<&kinds::VolumeMigrationStatus::volumeMigrationStates>("volumeMigrationStates", "One per volume."),
    field<&kinds::VolumeMigrationStatus::virtualMachineInstanceName>("virtualMachineInstanceName", "The instance."),
    field<&kinds::VolumeMigrationStatus::virtualMachineMigrationName>("virtualMachineMigrationName", "The migration."),
    field<&kinds::VolumeMigrationStatus::startTimestamp>("startTimestamp", "When the move began."),
    field<&kinds::VolumeMigrationStatus::endTimestamp>("endTimestamp", "When it ended."),
    field<&kinds::VolumeMigrationStatus::phase>("phase", "Phase."),
    field<&kinds::VolumeMigrationStatus::phaseTransitionTimestamps>("phaseTransitionTimestamps", "When."),
    field<&kinds::VolumeMigrationStatus::wayBack>("wayBack", "What becomes of the sources while one can go back."),
    field<&kinds::VolumeMigrationStatus::godwit>("godwit", "What Godwit adds."));

template <>
inline constexpr auto schema<kinds::VolumeMigration> =
    object(field<&kinds::VolumeMigration::metadata>("metadata", "Metadata."),
           field<&kinds::VolumeMigration::spec>("spec", "What to move.", required),
           field<&kinds::VolumeMigration::status>("status", "How far it is."));

inline constexpr std::string_view kVolumeMigrationShortNames[] = {"volmig"};
inline constexpr Column kVolumeMigrationColumns[] = {
    {"Phase", ".status.phase"},
    {"VMI", ".status.virtualMachineInstanceName"},
    {"Mechanism", ".status.godwit.mechanism"},
    {"Reason", ".status.godwit.reason"},
    {"Age", ".metadata.creationTimestamp", "date"},
};
template <>
inline constexpr Kind kind<kinds::VolumeMigration> = {.group = "storage.kubevirt.io",
                                                      .version = "v1alpha1",
                                                      .name = "VolumeMigration",
                                                      .plural = "volumemigrations",
                                                      .singular = "volumemigration",
                                                      .shortNames = kVolumeMigrationShortNames,
                                                      .columns = kVolumeMigrationColumns};

extern template const Shape& shapeFor<kinds::VolumeMigration>();

}  // namespace godwit::schema
