#include "apiserver/protobuf_messages.hpp"

#include <algorithm>
#include <array>

namespace godwit::apiserver {
namespace {

using enum WireType;

constexpr WireField kObjectMeta[] = {
    {1, "name"},
    {2, "generateName"},
    {3, "namespace"},
    {5, "uid"},
    {6, "resourceVersion"},
    {7, "generation", Integer},
    {8, "creationTimestamp", Time},
    {9, "deletionTimestamp", Time},
    {10, "deletionGracePeriodSeconds", Integer, {}, false, true},
    {11, "labels", TextMap},
    {12, "annotations", TextMap},
    {13, "ownerReferences", Message, "OwnerReference", true},
    {14, "finalizers", Text, {}, true},
};
constexpr WireField kOwnerReference[] = {
    {1, "kind"},
    {3, "name"},
    {4, "uid"},
    {5, "apiVersion"},
    {6, "controller", Boolean, {}, false, true},
    {7, "blockOwnerDeletion", Boolean, {}, false, true},
};

constexpr WireField kNamespace[] = {{1, "metadata", Message, "ObjectMeta"}, {2, "spec", Message, "NamespaceSpec"}};
constexpr WireField kNamespaceSpec[] = {{1, "finalizers", Text, {}, true}};
constexpr WireField kConfigMap[] = {{1, "metadata", Message, "ObjectMeta"},
                                    {2, "data", TextMap},
                                    {3, "binaryData", BytesMap},
                                    {4, "immutable", Boolean, {}, false, true}};
constexpr WireField kSecret[] = {{1, "metadata", Message, "ObjectMeta"},
                                 {2, "data", BytesMap},
                                 {3, "type"},
                                 {4, "stringData", TextMap},
                                 {5, "immutable", Boolean, {}, false, true}};
constexpr WireField kServiceAccount[] = {{1, "metadata", Message, "ObjectMeta"},
                                         {3, "imagePullSecrets", Message, "LocalObjectReference", true},
                                         {4, "automountServiceAccountToken", Boolean, {}, false, true}};
constexpr WireField kLocalObjectReference[] = {{1, "name"}};

constexpr WireField kDeleteOptions[] = {{1, "gracePeriodSeconds", Integer, {}, false, true},
                                        {2, "preconditions", Message, "Preconditions"},
                                        {3, "orphanDependents", Boolean, {}, false, true},
                                        {4, "propagationPolicy"},
                                        {5, "dryRun", Text, {}, true}};
constexpr WireField kPreconditions[] = {{1, "uid"}, {2, "resourceVersion"}};
constexpr WireField kEviction[] = {{1, "metadata", Message, "ObjectMeta"},
                                   {2, "deleteOptions", Message, "DeleteOptions"}};
constexpr WireField kBinding[] = {{1, "metadata", Message, "ObjectMeta"}, {2, "target", Message, "ObjectReference"}};
constexpr WireField kObjectReference[] = {{1, "kind"}, {2, "namespace"}, {3, "name"}, {4, "uid"}, {5, "apiVersion"}};

constexpr WireField kSelfSubjectAccessReview[] = {{1, "metadata", Message, "ObjectMeta"},
                                                  {2, "spec", Message, "SelfSubjectAccessReviewSpec"}};
constexpr WireField kSelfSubjectAccessReviewSpec[] = {{1, "resourceAttributes", Message, "ResourceAttributes"},
                                                      {2, "nonResourceAttributes", Message, "NonResourceAttributes"}};
constexpr WireField kResourceAttributes[] = {{1, "namespace"}, {2, "verb"},        {3, "group"}, {4, "version"},
                                             {5, "resource"},  {6, "subresource"}, {7, "name"}};
constexpr WireField kNonResourceAttributes[] = {{1, "path"}, {2, "verb"}};
constexpr WireField kSelfSubjectReview[] = {{1, "metadata", Message, "ObjectMeta"}};

constexpr std::array kMessages = {
    WireMessage{"ObjectMeta", kObjectMeta},
    WireMessage{"OwnerReference", kOwnerReference},
    WireMessage{"Namespace", kNamespace},
    WireMessage{"NamespaceSpec", kNamespaceSpec},
    WireMessage{"ConfigMap", kConfigMap},
    WireMessage{"Secret", kSecret},
    WireMessage{"ServiceAccount", kServiceAccount},
    WireMessage{"LocalObjectReference", kLocalObjectReference},
    WireMessage{"DeleteOptions", kDeleteOptions},
    WireMessage{"Preconditions", kPreconditions},
    WireMessage{"Eviction", kEviction},
    WireMessage{"Binding", kBinding},
    WireMessage{"ObjectReference", kObjectReference},
    WireMessage{"SelfSubjectAccessReview", kSelfSubjectAccessReview},
    WireMessage{"SelfSubjectAccessReviewSpec", kSelfSubjectAccessReviewSpec},
    WireMessage{"ResourceAttributes", kResourceAttributes},
    WireMessage{"NonResourceAttributes", kNonResourceAttributes},
    WireMessage{"SelfSubjectReview", kSelfSubjectReview},
};

}  // namespace

const WireMessage* findMessage(std::string_view name) {
  const auto found = std::find_if(kMessages.begin(), kMessages.end(),
                                  [&](const WireMessage& message) { return message.name == name; });
  return found == kMessages.end() ? nullptr : found;
}

}  // namespace godwit::apiserver
