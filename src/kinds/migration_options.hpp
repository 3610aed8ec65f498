#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "schema/codec.hpp"

// How a migration goes about its work, as far as people may choose.
namespace godwit::kinds {

// Said by the cluster, by a policy, or by one migration; what one leaves open is for the one before it to say.
struct MigrationOptions {
  std::optional<std::string> bandwidthPerMigration = {};  // bytes per second; 0: no limit
  std::optional<std::int64_t> completionTimeoutPerGiB = {};
  std::optional<std::int64_t> progressTimeout = {};
  std::optional<std::int64_t> maxDowntimeMs = {};
  std::optional<bool> allowAutoConverge = {};
  std::optional<bool> allowPostCopy = {};
  std::optional<bool> allowWorkloadDisruption = {};
  std::optional<bool> holdSwitchOver = {};

  bool operator==(const MigrationOptions&) const = default;
};

// What only the cluster as a whole says.
struct MigrationConfiguration : MigrationOptions {
  std::optional<std::int64_t> parallelMigrationsPerCluster = {};
  std::optional<std::int64_t> parallelOutboundMigrationsPerNode = {};
  std::optional<std::int64_t> parallelInboundMigrationsPerNode = {};
  std::optional<bool> disableTLS = {};
  std::string network = {};  // a CIDR: the addresses that migrations use

  bool operator==(const MigrationConfiguration&) const = default;
};

}  // namespace godwit::kinds

namespace godwit::schema {

inline constexpr std::int64_t kMostDowntimeMs = 2'000'000;  // as much as QEMU takes

template <>
inline constexpr auto schema<kinds::MigrationOptions> = object(
    field<&kinds::MigrationOptions::bandwidthPerMigration>("bandwidthPerMigration",
                                                           "Bytes per second for memory and disks; 0 means no limit.",
                                                           quantity),
    field<&kinds::MigrationOptions::completionTimeoutPerGiB>(
        "completionTimeoutPerGiB",
        "Seconds that the memory may take for each GiB of it; 0 means any time. Disks may take as long as they "
        "make progress.",
        atLeast(0)),
    field<&kinds::MigrationOptions::progressTimeout>(
        "progressTimeout", "Seconds without progress after which it is given up; 0 means never.", atLeast(0)),
    field<&kinds::MigrationOptions::maxDowntimeMs>("maxDowntimeMs",
                                                   "Milliseconds that the guest may stand still for the switch-over.",
                                                   between(1, kMostDowntimeMs)),
    field<&kinds::MigrationOptions::allowAutoConverge>(
        "allowAutoConverge", "Whether the guest may be slowed down when its memory changes too fast."),
    field<&kinds::MigrationOptions::allowPostCopy>(
        "allowPostCopy",
        "Whether the guest may go on at the target before all of its memory is there, when time is up."),
    field<&kinds::MigrationOptions::allowWorkloadDisruption>(
        "allowWorkloadDisruption",
        "Whether the guest may be switched to post-copy, or made to wait, when time is up; like allowPostCopy "
        "unless said otherwise."),
    field<&kinds::MigrationOptions::holdSwitchOver>(
        "holdSwitchOver",
        "Whether disks that move in place are only kept equal, once they are, until this is said no more."));

template <>
inline constexpr auto schema<kinds::MigrationConfiguration> = extended(
    schema<kinds::MigrationOptions>,
    field<&kinds::MigrationConfiguration::parallelMigrationsPerCluster>("parallelMigrationsPerCluster",
                                                                        "How many migrations there may be at a time.",
                                                                        atLeast(1)),
    field<&kinds::MigrationConfiguration::parallelOutboundMigrationsPerNode>("parallelOutboundMigrationsPerNode",
                                                                             "How many of them may leave one node.",
                                                                             atLeast(1)),
    field<&kinds::MigrationConfiguration::parallelInboundMigrationsPerNode>("parallelInboundMigrationsPerNode",
                                                                            "How many of them may come to one node.",
                                                                            atLeast(1)),
    field<&kinds::MigrationConfiguration::disableTLS>("disableTLS",
                                                      "Whether what moves between hosts is in the clear."),
    field<&kinds::MigrationConfiguration::network>(
        "network", "Addresses that migrations use, as a CIDR; empty: those that the nodes are known by."),
    kept("nodeDrainTaintKey", "unsafeMigrationOverride", "matchSELinuxLevelOnMigration", "utilityVolumesTimeout",
         "experimental"));

}  // namespace godwit::schema
