#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "object/document.hpp"
#include "schema/codec.hpp"

namespace godwit::schema {

struct OwnerReference {
  std::string apiVersion;
  std::string kind;
  std::string name;
  std::string uid;
  bool controller = false;
  bool blockOwnerDeletion = false;

  bool operator==(const OwnerReference&) const = default;
};

template <>
inline constexpr auto schema<OwnerReference> = object(
    field<&OwnerReference::apiVersion>("apiVersion", "API version of the owner."),
    field<&OwnerReference::kind>("kind", "Kind of the owner."),
    field<&OwnerReference::name>("name", "Name of the owner."), field<&OwnerReference::uid>("uid", "UID of the owner."),
    field<&OwnerReference::controller>("controller", "Whether the owner manages this object."),
    field<&OwnerReference::blockOwnerDeletion>("blockOwnerDeletion", "Whether the owner waits for this object to go."));

// The metadata every object has. managedFields and the like stay in the document.
struct Metadata {
  std::string name;
  std::string generateName;
  std::string nameSpace;
  std::string uid;
  std::string resourceVersion;
  std::int64_t generation = 0;
  std::optional<Timestamp> creationTimestamp;
  std::optional<Timestamp> deletionTimestamp;
  std::map<std::string, std::string> labels;
  std::map<std::string, std::string> annotations;
  std::vector<std::string> finalizers;
  std::vector<OwnerReference> ownerReferences;

  bool operator==(const Metadata&) const = default;

  object::Key key() const { return {nameSpace, name}; }
  bool beingDeleted() const { return deletionTimestamp.has_value(); }
  bool isHeldBy(std::string_view finalizer) const {
    return std::find(finalizers.begin(), finalizers.end(), finalizer) != finalizers.end();
  }
};

template <>
inline constexpr auto schema<Metadata> =
    object(field<&Metadata::name>("name", "Name, unique within its kind and namespace."),
           field<&Metadata::generateName>("generateName", "Prefix of a name that the server completes."),
           field<&Metadata::nameSpace>("namespace", "Namespace."), field<&Metadata::uid>("uid", "Unique for all time."),
           field<&Metadata::resourceVersion>("resourceVersion", "Changes with every write."),
           field<&Metadata::generation>("generation", "Changes with every write of the spec."),
           field<&Metadata::creationTimestamp>("creationTimestamp", "When it was created."),
           field<&Metadata::deletionTimestamp>("deletionTimestamp", "When its deletion was asked for."),
           field<&Metadata::labels>("labels", "Labels."), field<&Metadata::annotations>("annotations", "Annotations."),
           field<&Metadata::finalizers>("finalizers", "Who must agree before it goes."),
           field<&Metadata::ownerReferences>("ownerReferences", "What it goes with."),
           kept("deletionGracePeriodSeconds", "managedFields", "selfLink"));

extern template const Shape& shapeFor<Metadata>();

}  // namespace godwit::schema
