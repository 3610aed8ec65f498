#pragma once

#include "kinds/condition.hpp"
#include "kinds/node_selector.hpp"
#include "schema/codec.hpp"
#include "schema/metadata.hpp"

namespace godwit::kinds {

struct ResourceNeeds {
  std::map<std::string, std::string> requests;
  std::map<std::string, std::string> limits;

  bool operator==(const ResourceNeeds&) const = default;
};

struct Container {
  std::string name;
  std::string image;
  ResourceNeeds resources;

  bool operator==(const Container&) const = default;
};

struct ClaimReference {
  std::string claimName;
  bool hotpluggable = false;  // on an instance: it may come to a running guest, and go

  bool operator==(const ClaimReference&) const = default;
};

struct PodVolume {
  std::string name;
  std::optional<ClaimReference> persistentVolumeClaim;

  bool operator==(const PodVolume&) const = default;
};

struct PodSpec {
  std::string nodeName;
  std::map<std::string, std::string> nodeSelector;
  std::optional<Affinity> affinity;
  std::vector<Toleration> tolerations;
  std::vector<PodVolume> volumes;
  std::vector<Container> containers;

  bool operator==(const PodSpec&) const = default;
};

// The states of a pod: those a node reports, and Pending until it does.
namespace pod_phase {
inline constexpr std::string_view kPending = "Pending";
inline constexpr std::string_view kRunning = "Running";
inline constexpr std::string_view kSucceeded = "Succeeded";
inline constexpr std::string_view kFailed = "Failed";
}  // namespace pod_phase

struct ContainerEnd {
  std::optional<std::int64_t> exitCode = {};  // 0 is one, too
  std::string reason = {};
  std::string message = {};  // its last words

  bool operator==(const ContainerEnd&) const = default;
};

struct ContainerState {
  std::optional<ContainerEnd> terminated;

  bool operator==(const ContainerState&) const = default;
};

struct ContainerStatus {
  std::string name;
  ContainerState state;

  bool operator==(const ContainerStatus&) const = default;
};

struct PodStatus {
  std::string phase;
  std::string reason;
  std::string message;
  std::vector<Condition> conditions;
  std::vector<ContainerStatus> containerStatuses = {};

  bool operator==(const PodStatus&) const = default;
};

struct Pod {
  schema::Metadata metadata;
  PodSpec spec;
  PodStatus status;

  bool ended() const { return status.phase == pod_phase::kSucceeded || status.phase == pod_phase::kFailed; }
  bool ready() const { return isTrue(status.conditions, "Ready"); }

  bool operator==(const Pod&) const = default;
};

}  // namespace godwit::kinds

namespace godwit::schema {

template <>
inline constexpr auto schema<kinds::ResourceNeeds> =
    object(field<&kinds::ResourceNeeds::requests>("requests", "What is set aside.", quantity),
           field<&kinds::ResourceNeeds::limits>("limits", "What may be used at most.", quantity),
           kept("claims", "overcommitGuestOverhead"));

template <>
inline constexpr auto schema<kinds::Container> = object(field<&kinds::Container::name>("name", "Name.", required),
                                                        field<&kinds::Container::image>("image", "Image."),
                                                        field<&kinds::Container::resources>("resources", "Resources."),
                                                        open);

template <>
inline constexpr auto schema<kinds::ClaimReference> = object(
    field<&kinds::ClaimReference::claimName>("claimName", "Claim in the same namespace.", required),
    field<&kinds::ClaimReference::hotpluggable>("hotpluggable", "Whether it may come and go."), kept("readOnly"));

template <>
inline constexpr auto schema<kinds::PodVolume> =
    object(field<&kinds::PodVolume::name>("name", "Name.", required),
           field<&kinds::PodVolume::persistentVolumeClaim>("persistentVolumeClaim", "The claim it stands for."), open);

template <>
inline constexpr auto schema<kinds::PodSpec> =
    object(field<&kinds::PodSpec::nodeName>("nodeName", "Node it is bound to; the scheduler sets it."),
           field<&kinds::PodSpec::nodeSelector>("nodeSelector", "Labels the node must have."),
           field<&kinds::PodSpec::affinity>("affinity", "Where it may and may not go."),
           field<&kinds::PodSpec::tolerations>("tolerations", "Taints it accepts."),
           field<&kinds::PodSpec::volumes>("volumes", "Volumes."),
           field<&kinds::PodSpec::containers>("containers", "Containers.", required), open);

template <>
inline constexpr auto schema<kinds::ContainerEnd> =
    object(field<&kinds::ContainerEnd::exitCode>("exitCode", "Its exit code."),
           field<&kinds::ContainerEnd::reason>("reason", "One word for machines."),
           field<&kinds::ContainerEnd::message>("message", "Its last words."), open);

template <>
inline constexpr auto schema<kinds::ContainerState> =
    object(field<&kinds::ContainerState::terminated>("terminated", "How it ended."), open);

template <>
inline constexpr auto schema<kinds::ContainerStatus> =
    object(field<&kinds::ContainerStatus::name>("name", "Name.", required),
           field<&kinds::ContainerStatus::state>("state", "What is."), open);

template <>
inline constexpr auto schema<kinds::PodStatus> =
    object(field<&kinds::PodStatus::phase>("phase", "Pending, Running, Succeeded or Failed."),
           field<&kinds::PodStatus::reason>("reason", "One word for machines."),
           field<&kinds::PodStatus::message>("message", "A sentence for people."),
           field<&kinds::PodStatus::conditions>("conditions", "Conditions."),
           field<&kinds::PodStatus::containerStatuses>("containerStatuses", "Container by container."), open);

template <>
inline constexpr auto schema<kinds::Pod> = object(field<&kinds::Pod::metadata>("metadata", "Metadata."),
                                                  field<&kinds::Pod::spec>("spec", "What is wanted."),
                                                  field<&kinds::Pod::status>("status", "What is."));

inline constexpr std::string_view kPodShortNames[] = {"po"};
inline constexpr std::string_view kPodFieldSelectors[] = {"spec.nodeName", "status.phase"};
inline constexpr Column kPodColumns[] = {
    {"Phase", ".status.phase"},
    {"Node", ".spec.nodeName"},
    {"Reason", ".status.reason"},
    {"Age", ".metadata.creationTimestamp", "date"},
};

template <>
inline constexpr Kind kind<kinds::Pod> = {.group = "",
                                          .version = "v1",
                                          .name = "Pod",
                                          .plural = "pods",
                                          .singular = "pod",
                                          .shortNames = kPodShortNames,
                                          .columns = kPodColumns,
                                          .fieldSelectors = kPodFieldSelectors};

extern template const Shape& shapeFor<kinds::Pod>();

}  // namespace godwit::schema
