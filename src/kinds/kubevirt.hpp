#pragma once

#include "kinds/migration_options.hpp"
#include "schema/metadata.hpp"

// kubevirt.io/v1 KubeVirt: what holds for the whole cluster.
namespace godwit::kinds {

struct ClusterConfiguration {
  std::optional<MigrationConfiguration> migrations = {};

  bool operator==(const ClusterConfiguration&) const = default;
};

struct KubeVirtSpec {
  std::optional<ClusterConfiguration> configuration = {};

  bool operator==(const KubeVirtSpec&) const = default;
};

struct KubeVirt {
  schema::Metadata metadata;
  KubeVirtSpec spec;

  bool operator==(const KubeVirt&) const = default;
};

// What holds where nobody has said anything: KubeVirt's numbers, and QEMU's for the downtime.
MigrationConfiguration usualMigrations();

}  // namespace godwit::kinds

namespace godwit::schema {

template <>
inline constexpr auto schema<kinds::ClusterConfiguration> =
    object(field<&kinds::ClusterConfiguration::migrations>("migrations", "How guests move."), open);

template <>
inline constexpr auto schema<kinds::KubeVirtSpec> =
    object(field<&kinds::KubeVirtSpec::configuration>("configuration", "What holds for all guests."), open);

template <>
inline constexpr auto schema<kinds::KubeVirt> =
    object(field<&kinds::KubeVirt::metadata>("metadata", "Metadata."),
           field<&kinds::KubeVirt::spec>("spec", "What people choose for the cluster.", required), kept("status"));

inline constexpr std::string_view kKubeVirtShortNames[] = {"kv", "kvs"};
template <>
inline constexpr Kind kind<kinds::KubeVirt> = {.group = "kubevirt.io",
                                               .version = "v1",
                                               .name = "KubeVirt",
                                               .plural = "kubevirts",
                                               .singular = "kubevirt",
                                               .shortNames = kKubeVirtShortNames};

extern template const Shape& shapeFor<kinds::KubeVirt>();

}  // namespace godwit::schema
