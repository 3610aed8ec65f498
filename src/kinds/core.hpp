#pragma once

#include "kinds/volume.hpp"
#include "schema/codec.hpp"
#include "schema/metadata.hpp"

// Kinds that Godwit stores for its users and hardly looks into.
namespace godwit::kinds {

struct Namespace {
  schema::Metadata metadata;
  json::object spec;
  json::object status;

  bool operator==(const Namespace&) const = default;
};

struct Secret {
  schema::Metadata metadata;
  std::string type;
  std::map<std::string, std::string> data;  // base64

  bool operator==(const Secret&) const = default;
};

struct ConfigMap {
  schema::Metadata metadata;
  std::map<std::string, std::string> data;

  bool operator==(const ConfigMap&) const = default;
};

struct ServiceAccount {
  schema::Metadata metadata;

  bool operator==(const ServiceAccount&) const = default;
};

struct Event {
  schema::Metadata metadata;
  ObjectReference involvedObject;
  std::string type;  // Normal or Warning
  std::string reason;
  std::string message;
  std::int64_t count = 1;
  std::optional<Timestamp> firstTimestamp;
  std::optional<Timestamp> lastTimestamp;

  bool operator==(const Event&) const = default;
};

struct LeaseSpec {
  std::string holderIdentity;
  std::int64_t leaseDurationSeconds = 0;
  std::optional<Timestamp> renewTime;

  bool operator==(const LeaseSpec&) const = default;
};

struct Lease {
  schema::Metadata metadata;
  LeaseSpec spec;

  bool operator==(const Lease&) const = default;
};

}  // namespace godwit::kinds

namespace godwit::schema {

template <>
inline constexpr auto schema<kinds::Namespace> = object(field<&kinds::Namespace::metadata>("metadata", "Metadata."),
                                                        field<&kinds::Namespace::spec>("spec", "Finalizers."),
                                                        field<&kinds::Namespace::status>("status", "Phase."));
template <>
inline constexpr auto schema<kinds::Secret> = object(field<&kinds::Secret::metadata>("metadata", "Metadata."),
                                                     field<&kinds::Secret::type>("type", "Type."),
                                                     field<&kinds::Secret::data>("data", "Values in base64."),
                                                     kept("immutable", "stringData"));
template <>
inline constexpr auto schema<kinds::ConfigMap> = object(field<&kinds::ConfigMap::metadata>("metadata", "Metadata."),
                                                        field<&kinds::ConfigMap::data>("data", "Values."),
                                                        kept("immutable", "binaryData"));
template <>
inline constexpr auto schema<kinds::ServiceAccount> =
    object(field<&kinds::ServiceAccount::metadata>("metadata", "Metadata."),
           kept("secrets", "imagePullSecrets", "automountServiceAccountToken"));

template <>
inline constexpr auto schema<kinds::Event> = object(
    field<&kinds::Event::metadata>("metadata", "Metadata."),
    field<&kinds::Event::involvedObject>("involvedObject", "What it is about."),
    field<&kinds::Event::type>("type", "Normal or Warning."), field<&kinds::Event::reason>("reason", "One word."),
    field<&kinds::Event::message>("message", "A sentence."), field<&kinds::Event::count>("count", "How often."),
    field<&kinds::Event::firstTimestamp>("firstTimestamp", "First time."),
    field<&kinds::Event::lastTimestamp>("lastTimestamp", "Last time."), open);

template <>
inline constexpr auto schema<kinds::LeaseSpec> =
    object(field<&kinds::LeaseSpec::holderIdentity>("holderIdentity", "Who holds it."),
           field<&kinds::LeaseSpec::leaseDurationSeconds>("leaseDurationSeconds", "How long a renewal lasts."),
           field<&kinds::LeaseSpec::renewTime>("renewTime", "When it was renewed last.", microseconds), open);
template <>
inline constexpr auto schema<kinds::Lease> = object(field<&kinds::Lease::metadata>("metadata", "Metadata."),
                                                    field<&kinds::Lease::spec>("spec", "The lease."));

inline constexpr std::string_view kNamespaceShortNames[] = {"ns"};
inline constexpr Column kNamespaceColumns[] = {
    {"Status", ".status.phase"},
    {"Age", ".metadata.creationTimestamp", "date"},
};
template <>
inline constexpr Kind kind<kinds::Namespace> = {.group = "",
                                                .version = "v1",
                                                .name = "Namespace",
                                                .plural = "namespaces",
                                                .singular = "namespace",
                                                .shortNames = kNamespaceShortNames,
                                                .scope = Scope::Cluster,
                                                .columns = kNamespaceColumns};
template <>
inline constexpr Kind kind<kinds::Secret> = {
    .group = "", .version = "v1", .name = "Secret", .plural = "secrets", .singular = "secret", .hasStatus = false};
inline constexpr std::string_view kConfigMapShortNames[] = {"cm"};
template <>
inline constexpr Kind kind<kinds::ConfigMap> = {.group = "",
                                                .version = "v1",
                                                .name = "ConfigMap",
                                                .plural = "configmaps",
                                                .singular = "configmap",
                                                .shortNames = kConfigMapShortNames,
                                                .hasStatus = false};
inline constexpr std::string_view kServiceAccountShortNames[] = {"sa"};
template <>
inline constexpr Kind kind<kinds::ServiceAccount> = {.group = "",
                                                     .version = "v1",
                                                     .name = "ServiceAccount",
                                                     .plural = "serviceaccounts",
                                                     .singular = "serviceaccount",
                                                     .shortNames = kServiceAccountShortNames,
                                                     .hasStatus = false};
inline constexpr std::string_view kEventShortNames[] = {"ev"};
inline constexpr std::string_view kEventFieldSelectors[] = {
    "involvedObject.kind", "involvedObject.name", "involvedObject.namespace", "involvedObject.uid", "reason", "type"};
inline constexpr Column kEventColumns[] = {
    {"Last Seen", ".lastTimestamp", "date"}, {"Type", ".type"},       {"Reason", ".reason"},
    {"Object", ".involvedObject.name"},      {"Message", ".message"},
};
template <>
inline constexpr Kind kind<kinds::Event> = {.group = "",
                                            .version = "v1",
                                            .name = "Event",
                                            .plural = "events",
                                            .singular = "event",
                                            .shortNames = kEventShortNames,
                                            .hasStatus = false,
                                            .columns = kEventColumns,
                                            .fieldSelectors = kEventFieldSelectors};
inline constexpr Column kLeaseColumns[] = {
    {"Holder", ".spec.holderIdentity"},
    {"Age", ".metadata.creationTimestamp", "date"},
};
template <>
inline constexpr Kind kind<kinds::Lease> = {.group = "coordination.k8s.io",
                                            .version = "v1",
                                            .name = "Lease",
                                            .plural = "leases",
                                            .singular = "lease",
                                            .hasStatus = false,
                                            .columns = kLeaseColumns};

extern template const Shape& shapeFor<kinds::Namespace>();
extern template const Shape& shapeFor<kinds::Secret>();
extern template const Shape& shapeFor<kinds::ConfigMap>();
extern template const Shape& shapeFor<kinds::ServiceAccount>();
extern template const Shape& shapeFor<kinds::Event>();
extern template const Shape& shapeFor<kinds::Lease>();

}  // namespace godwit::schema
