#pragma once

#include <map>

#include "kinds/migration_options.hpp"
#include "schema/metadata.hpp"

// migrations.kubevirt.io/v1alpha1 MigrationPolicy: options for the migrations of some guests.
namespace godwit::kinds {

// All listed labels must be there.
struct PolicySelectors {
  std::map<std::string, std::string> namespaceSelector;
  std::map<std::string, std::string> virtualMachineInstanceSelector;

  bool operator==(const PolicySelectors&) const = default;
};

struct MigrationPolicySpec : MigrationOptions {
  std::optional<PolicySelectors> selectors = {};

  bool operator==(const MigrationPolicySpec&) const = default;
};

struct MigrationPolicy {
  schema::Metadata metadata;
  MigrationPolicySpec spec;

  bool operator==(const MigrationPolicy&) const = default;
};

}  // namespace godwit::kinds

namespace godwit::schema {

template <>
inline constexpr auto schema<kinds::PolicySelectors> =
    object(field<&kinds::PolicySelectors::namespaceSelector>("namespaceSelector", "Labels of the guest's namespace."),
           field<&kinds::PolicySelectors::virtualMachineInstanceSelector>("virtualMachineInstanceSelector",
                                                                          "Labels of the guest itself."));

template <>
inline constexpr auto schema<kinds::MigrationPolicySpec> =
    extended(schema<kinds::MigrationOptions>,
             field<&kinds::MigrationPolicySpec::selectors>(
                 "selectors", "Whom it is for: the policy that names the most labels of a guest wins."),
             kept("experimental"));

template <>
inline constexpr auto schema<kinds::MigrationPolicy> =
    object(field<&kinds::MigrationPolicy::metadata>("metadata", "Metadata."),
           field<&kinds::MigrationPolicy::spec>("spec", "Whom it is for, and what it says.", required), kept("status"));

template <>
inline constexpr Kind kind<kinds::MigrationPolicy> = {.group = "migrations.kubevirt.io",
                                                      .version = "v1alpha1",
                                                      .name = "MigrationPolicy",
                                                      .plural = "migrationpolicies",
                                                      .singular = "migrationpolicy",
                                                      .scope = Scope::Cluster};

extern template const Shape& shapeFor<kinds::MigrationPolicy>();

}  // namespace godwit::schema
