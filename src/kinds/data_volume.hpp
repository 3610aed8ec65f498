#pragma once

#include "kinds/condition.hpp"
#include "kinds/volume.hpp"
#include "schema/codec.hpp"
#include "schema/metadata.hpp"

namespace godwit::kinds {

// Nothing: the volume is as it was made.
struct BlankSource {
  bool operator==(const BlankSource&) const = default;
};

struct ClaimSource {
  std::string nameSpace;  // empty: the DataVolume's own
  std::string name;

  bool operator==(const ClaimSource&) const = default;
};

struct HttpSource {
  std::string url;
  std::string checksum;       // "sha256:..."; empty: not compared
  std::string secretRef;      // accessKeyId and secretKey, for basic authentication
  std::string certConfigMap;  // authorities to trust besides the machine's

  bool operator==(const HttpSource&) const = default;
};

// The disk in a container image.
struct RegistrySource {
  std::string url;            // docker://...
  std::string secretRef;      // as for HTTP
  std::string certConfigMap;  // the same

  bool operator==(const RegistrySource&) const = default;
};

struct UploadSource {
  bool operator==(const UploadSource&) const = default;
};

struct DataVolumeSource {
  std::optional<BlankSource> blank;
  std::optional<ClaimSource> pvc;
  std::optional<HttpSource> http;
  std::optional<RegistrySource> registry;
  std::optional<UploadSource> upload;

  bool operator==(const DataVolumeSource&) const = default;
};

struct DataVolumeSpec {
  DataVolumeSource source;
  std::optional<PersistentVolumeClaimSpec> pvc;
  std::optional<PersistentVolumeClaimSpec> storage;  // what it leaves out follows from the class
  std::string contentType = {};

  bool operator==(const DataVolumeSpec&) const = default;

  // The claim that is asked for, in the one form or the other.
  const PersistentVolumeClaimSpec* claim() const { return pvc ? &*pvc : storage ? &*storage : nullptr; }
};

enum class DataVolumePhase {
  Unset,
  Pending,
  WaitForFirstConsumer,
  ImportScheduled,
  ImportInProgress,
  CloneScheduled,
  CloneInProgress,
  UploadScheduled,
  UploadReady,
  Succeeded,
  Failed
};

constexpr bool isFinal(DataVolumePhase phase) { return phase == DataVolumePhase::Succeeded; }

struct DataVolumeStatus {
  DataVolumePhase phase = DataVolumePhase::Unset;
  std::string claimName;
  std::string progress;  // "42.00%", or "N/A"
  std::int64_t restartCount = 0;
  std::vector<Condition> conditions;  // Bound, Running, Ready

  bool operator==(const DataVolumeStatus&) const = default;
};

// A claim of the same name, and what it is filled with.
struct DataVolume {
  schema::Metadata metadata;
  DataVolumeSpec spec;
  DataVolumeStatus status;

  bool operator==(const DataVolume&) const = default;
};

}  // namespace godwit::kinds

namespace godwit::schema {

template <>
inline constexpr auto names<kinds::DataVolumePhase> =
    std::to_array<std::pair<kinds::DataVolumePhase, std::string_view>>(
        {{kinds::DataVolumePhase::Unset, ""},
         {kinds::DataVolumePhase::Pending, "Pending"},
         {kinds::DataVolumePhase::WaitForFirstConsumer, "WaitForFirstConsumer"},
         {kinds::DataVolumePhase::ImportScheduled, "ImportScheduled"},
         {kinds::DataVolumePhase::ImportInProgress, "ImportInProgress"},
         {kinds::DataVolumePhase::CloneScheduled, "CloneScheduled"},
         {kinds::DataVolumePhase::CloneInProgress, "CloneInProgress"},
         {kinds::DataVolumePhase::UploadScheduled, "UploadScheduled"},
         {kinds::DataVolumePhase::UploadReady, "UploadReady"},
         {kinds::DataVolumePhase::Succeeded, "Succeeded"},
         {kinds::DataVolumePhase::Failed, "Failed"}});

inline constexpr std::string_view kContentTypes[] = {"kubevirt"};

template <>
inline constexpr auto schema<kinds::BlankSource> = object(open);

template <>
inline constexpr auto schema<kinds::ClaimSource> =
    object(field<&kinds::ClaimSource::nameSpace>("namespace", "Namespace of the claim; the DataVolume's own if empty."),
           field<&kinds::ClaimSource::name>("name", "The claim to copy.", required));

template <>
inline constexpr auto schema<kinds::HttpSource> = object(
    field<&kinds::HttpSource::url>("url", "http or https; raw or qcow2, plain or compressed by gzip or xz.", required),
    field<&kinds::HttpSource::checksum>("checksum", "algorithm:hexadecimal digest of what the server sends."),
    field<&kinds::HttpSource::secretRef>("secretRef", "Secret with accessKeyId and secretKey."),
    field<&kinds::HttpSource::certConfigMap>("certConfigMap", "ConfigMap with authorities to trust."),
    kept("extraHeaders", "secretExtraHeaders"));

template <>
inline constexpr auto schema<kinds::RegistrySource> = object(
    field<&kinds::RegistrySource::url>("url", "docker://REGISTRY/REPOSITORY:TAG, with one file in the folder disk.",
                                       required),
    field<&kinds::RegistrySource::secretRef>("secretRef", "Secret with accessKeyId and secretKey."),
    field<&kinds::RegistrySource::certConfigMap>("certConfigMap", "ConfigMap with authorities to trust."),
    kept("imageStream", "pullMethod", "platform"));

template <>
inline constexpr auto schema<kinds::UploadSource> = object(open);

template <>
inline constexpr auto schema<kinds::DataVolumeSource> =
    object(field<&kinds::DataVolumeSource::blank>("blank", "Nothing."),
           field<&kinds::DataVolumeSource::pvc>("pvc", "A copy of another claim."),
           field<&kinds::DataVolumeSource::http>("http", "A download."),
           field<&kinds::DataVolumeSource::upload>("upload", "What a person sends."),
           field<&kinds::DataVolumeSource::registry>("registry", "The disk in a container image."),
           kept("s3", "gcs", "imageio", "vddk", "snapshot"));

template <>
inline constexpr auto schema<kinds::DataVolumeSpec> =
    object(field<&kinds::DataVolumeSpec::source>("source", "What it is filled with.", immutable),
           field<&kinds::DataVolumeSpec::pvc>("pvc", "The claim.", immutable),
           field<&kinds::DataVolumeSpec::storage>("storage", "The claim; what it leaves out follows from the class.",
                                                  immutable),
           field<&kinds::DataVolumeSpec::contentType>("contentType", "kubevirt: a disk.", oneOf(kContentTypes)),
           kept("sourceRef", "checkpoints", "finalCheckpoint", "preallocation", "priorityClassName"));

template <>
inline constexpr auto schema<kinds::DataVolumeStatus> =
    object(field<&kinds::DataVolumeStatus::phase>("phase", "Phase."),
           field<&kinds::DataVolumeStatus::claimName>("claimName", "The claim."),
           field<&kinds::DataVolumeStatus::progress>("progress", "How much of it is there."),
           field<&kinds::DataVolumeStatus::restartCount>("restartCount", "How often it was begun again."),
           field<&kinds::DataVolumeStatus::conditions>("conditions", "Bound, Running and Ready."), open);

template <>
inline constexpr auto schema<kinds::DataVolume> =
    object(field<&kinds::DataVolume::metadata>("metadata", "Metadata."),
           field<&kinds::DataVolume::spec>("spec", "The claim, and what it is filled with.", required),
           field<&kinds::DataVolume::status>("status", "State."));

inline constexpr std::string_view kDataVolumeShortNames[] = {"dv", "dvs"};
inline constexpr Column kDataVolumeColumns[] = {
    {"Phase", ".status.phase"},
    {"Progress", ".status.progress"},
    {"Restarts", ".status.restartCount", "integer"},
    {"Age", ".metadata.creationTimestamp", "date"},
};
template <>
inline constexpr Kind kind<kinds::DataVolume> = {.group = "cdi.kubevirt.io",
                                                 .version = "v1beta1",
                                                 .name = "DataVolume",
                                                 .plural = "datavolumes",
                                                 .singular = "datavolume",
                                                 .shortNames = kDataVolumeShortNames,
                                                 .columns = kDataVolumeColumns};

extern template const Shape& shapeFor<kinds::DataVolume>();

}  // namespace godwit::schema
