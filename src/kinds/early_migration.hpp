#pragma once

#include "kinds/condition.hpp"
#include "schema/codec.hpp"
#include "schema/metadata.hpp"

// kubevirt.io/v1alpha1 Migration: how a move was first asked for. A VirtualMachineInstanceMigration does the work.
namespace godwit::kinds {

struct MachineSelector {
  std::string name;

  bool operator==(const MachineSelector&) const = default;
};

struct EarlyMigrationSpec {
  MachineSelector selector;
  std::map<std::string, std::string> nodeSelector = {};

  bool operator==(const EarlyMigrationSpec&) const = default;
};

enum class EarlyMigrationPhase { Unset, Pending, Running, Succeeded, Failed };

constexpr bool isFinal(EarlyMigrationPhase phase) {
  return phase == EarlyMigrationPhase::Succeeded || phase == EarlyMigrationPhase::Failed;
}

struct EarlyMigrationExtra {
  std::string reason;     // of the present phase, one word
  std::string message;    // the same for people
  std::string migration;  // the one that does the work

  bool operator==(const EarlyMigrationExtra&) const = default;
};

struct EarlyMigrationStatus {
  EarlyMigrationPhase phase = EarlyMigrationPhase::Unset;
  std::vector<Condition> conditions = {};
  EarlyMigrationExtra godwit = {};

  bool operator==(const EarlyMigrationStatus&) const = default;
};

struct EarlyMigration {
  schema::Metadata metadata;
  EarlyMigrationSpec spec;
  EarlyMigrationStatus status;

  bool operator==(const EarlyMigration&) const = default;
};

}  // namespace godwit::kinds

namespace godwit::schema {

template <>
inline constexpr auto names<kinds::EarlyMigrationPhase> =
    std::to_array<std::pair<kinds::EarlyMigrationPhase, std::string_view>>(
        {{kinds::EarlyMigrationPhase::Unset, ""},
         {kinds::EarlyMigrationPhase::Pending, "Pending"},
         {kinds::EarlyMigrationPhase::Running, "Running"},
         {kinds::EarlyMigrationPhase::Succeeded, "Succeeded"},
         {kinds::EarlyMigrationPhase::Failed, "Failed"}});

template <>
inline constexpr auto schema<kinds::MachineSelector> =
    object(field<&kinds::MachineSelector::name>("name", "The VM to move, in the same namespace.", required));

template <>
inline constexpr auto schema<kinds::EarlyMigrationSpec> =
    object(field<&kinds::EarlyMigrationSpec::selector>("selector", "Which VM.", required, immutable),
           field<&kinds::EarlyMigrationSpec::nodeSelector>(
               "nodeSelector", "Labels that the new node must have, beside what the VM itself asks for.", immutable));

template <>
inline constexpr auto schema<kinds::EarlyMigrationExtra> =
    object(field<&kinds::EarlyMigrationExtra::reason>("reason", "Why it is in this phase, in one word."),
           field<&kinds::EarlyMigrationExtra::message>("message", "The same for people."),
           field<&kinds::EarlyMigrationExtra::migration>("migration",
                                                         "The VirtualMachineInstanceMigration that does the work."));

template <>
inline constexpr auto schema<kinds::EarlyMigrationStatus> =
    object(field<&kinds::EarlyMigrationStatus::phase>("phase", "Phase."),
           field<&kinds::EarlyMigrationStatus::conditions>("conditions", "Conditions."),
           field<&kinds::EarlyMigrationStatus::godwit>("godwit", "What Godwit adds."), open);

template <>
inline constexpr auto schema<kinds::EarlyMigration> =
    object(field<&kinds::EarlyMigration::metadata>("metadata", "Metadata."),
           field<&kinds::EarlyMigration::spec>("spec", "What to move.", required),
           field<&kinds::EarlyMigration::status>("status", "How far it is."));

inline constexpr Column kEarlyMigrationColumns[] = {
    {"VM", ".spec.selector.name"},
    {"Phase", ".status.phase"},
    {"Reason", ".status.godwit.reason"},
    {"Age", ".metadata.creationTimestamp", "date"},
};
template <>
inline constexpr Kind kind<kinds::EarlyMigration> = {.group = "kubevirt.io",
                                                     .version = "v1alpha1",
                                                     .name = "Migration",
                                                     .plural = "migrations",
                                                     .singular = "migration",
                                                     .columns = kEarlyMigrationColumns};

extern template const Shape& shapeFor<kinds::EarlyMigration>();

}  // namespace godwit::schema
