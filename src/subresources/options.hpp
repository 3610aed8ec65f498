#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kinds/virtual_machine_instance.hpp"

// What the verbs take in their bodies; every one may also be told to change nothing.
namespace godwit::subresources {

struct StartOptions {
  bool paused = false;
  std::vector<std::string> dryRun;

  bool operator==(const StartOptions&) const = default;
};

struct StopOptions {
  std::optional<std::int64_t> gracePeriod;
  std::vector<std::string> dryRun;

  bool operator==(const StopOptions&) const = default;
};

struct RestartOptions {
  std::optional<std::int64_t> gracePeriodSeconds;
  std::vector<std::string> dryRun;

  bool operator==(const RestartOptions&) const = default;
};

struct MigrateOptions {
  std::map<std::string, std::string> addedNodeSelector;
  std::vector<std::string> dryRun;

  bool operator==(const MigrateOptions&) const = default;
};

struct PauseOptions {
  std::vector<std::string> dryRun;

  bool operator==(const PauseOptions&) const = default;
};

struct HotplugSource {
  std::optional<kinds::ClaimReference> persistentVolumeClaim;
  std::optional<kinds::DataVolumeReference> dataVolume;

  bool operator==(const HotplugSource&) const = default;
};

struct AddVolumeOptions {
  std::string name;
  std::optional<kinds::DiskSpec> disk;
  std::optional<HotplugSource> volumeSource;
  std::vector<std::string> dryRun;

  bool operator==(const AddVolumeOptions&) const = default;
};

struct RemoveVolumeOptions {
  std::string name;
  std::vector<std::string> dryRun;

  bool operator==(const RemoveVolumeOptions&) const = default;
};

}  // namespace godwit::subresources

namespace godwit::schema {

inline constexpr std::string_view kDryRunWords[] = {"All"};

template <class Options>
constexpr auto dryRunOf() {
  return field<&Options::dryRun>("dryRun", "All: check, and change nothing.", oneOf(kDryRunWords));
}

template <>
inline constexpr auto schema<subresources::StartOptions> =
    object(field<&subresources::StartOptions::paused>("paused", "Whether the guest is to wait."),
           dryRunOf<subresources::StartOptions>(), kept("apiVersion", "kind"));

template <>
inline constexpr auto schema<subresources::StopOptions> =
    object(field<&subresources::StopOptions::gracePeriod>("gracePeriod", "Seconds to shut down in.", atLeast(0)),
           dryRunOf<subresources::StopOptions>(), kept("apiVersion", "kind"));

template <>
inline constexpr auto schema<subresources::RestartOptions> =
    object(field<&subresources::RestartOptions::gracePeriodSeconds>("gracePeriodSeconds", "0: at once."),
           dryRunOf<subresources::RestartOptions>(), kept("apiVersion", "kind"));

template <>
inline constexpr auto schema<subresources::MigrateOptions> =
    object(field<&subresources::MigrateOptions::addedNodeSelector>("addedNodeSelector", "Labels of the new node."),
           dryRunOf<subresources::MigrateOptions>(), kept("apiVersion", "kind"));

template <>
inline constexpr auto schema<subresources::PauseOptions> = object(dryRunOf<subresources::PauseOptions>(),
                                                                  kept("apiVersion", "kind"));

template <>
inline constexpr auto schema<subresources::HotplugSource> =
    object(field<&subresources::HotplugSource::persistentVolumeClaim>("persistentVolumeClaim", "A claim."),
           field<&subresources::HotplugSource::dataVolume>("dataVolume", "A DataVolume."));

template <>
inline constexpr auto schema<subresources::AddVolumeOptions> =
    object(field<&subresources::AddVolumeOptions::name>("name", "Of the new volume and its disk."),
           field<&subresources::AddVolumeOptions::disk>("disk", "How the guest sees it."),
           field<&subresources::AddVolumeOptions::volumeSource>("volumeSource", "What it is made of."),
           dryRunOf<subresources::AddVolumeOptions>(), kept("apiVersion", "kind"));

template <>
inline constexpr auto schema<subresources::RemoveVolumeOptions> =
    object(field<&subresources::RemoveVolumeOptions::name>("name", "Of the volume."),
           dryRunOf<subresources::RemoveVolumeOptions>(), kept("apiVersion", "kind"));

}  // namespace godwit::schema
