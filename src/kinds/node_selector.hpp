#pragma once

#include <map>
#include <string>
#include <vector>

#include "object/selector.hpp"
#include "schema/schema.hpp"

// How pods, volumes and migrations say where they may be.
namespace godwit::kinds {

struct NodeSelectorTerm {
  std::vector<object::Requirement> matchExpressions;
  std::vector<object::Requirement> matchFields;  // only metadata.name

  bool operator==(const NodeSelectorTerm&) const = default;
  bool empty() const { return matchExpressions.empty() && matchFields.empty(); }
};

// Terms are ORed, the requirements within a term ANDed. A term without requirements matches no node.
struct NodeSelector {
  std::vector<NodeSelectorTerm> nodeSelectorTerms;

  bool operator==(const NodeSelector&) const = default;
};

bool matches(const NodeSelectorTerm& term, const std::string& nodeName, const object::Labels& labels);
bool matches(const NodeSelector& selector, const std::string& nodeName, const object::Labels& labels);

// What is wrong with the term, in the words of Kubernetes; `path` says where it stands.
std::vector<FieldProblem> problemsOf(const NodeSelectorTerm& term, const std::string& path);

// The term as people write it: "metadata.name In [a], disk Exists".
std::string show(const NodeSelectorTerm& term);

struct PreferredNodes {
  std::int64_t weight = 1;
  NodeSelectorTerm preference;

  bool operator==(const PreferredNodes&) const = default;
};

struct NodeAffinity {
  std::optional<NodeSelector> required;
  std::vector<PreferredNodes> preferred = {};

  bool operator==(const NodeAffinity&) const = default;
};

struct LabelQuery {
  std::map<std::string, std::string> matchLabels;
  std::vector<object::Requirement> matchExpressions;

  bool operator==(const LabelQuery&) const = default;
};

bool matches(const LabelQuery& query, const object::Labels& labels);

struct PodAffinityTerm {
  LabelQuery labelSelector;
  std::string topologyKey;
  std::vector<std::string> namespaces = {};  // of the pods; the namespace of the pod that has the term when empty

  bool operator==(const PodAffinityTerm&) const = default;
};

struct PreferredPods {
  std::int64_t weight = 1;
  PodAffinityTerm podAffinityTerm;

  bool operator==(const PreferredPods&) const = default;
};

struct PodAffinity {
  std::vector<PodAffinityTerm> required;
  std::vector<PreferredPods> preferred = {};

  bool operator==(const PodAffinity&) const = default;
};

struct Affinity {
  std::optional<NodeAffinity> nodeAffinity;
  std::optional<PodAffinity> podAffinity;
  std::optional<PodAffinity> podAntiAffinity;

  bool operator==(const Affinity&) const = default;
};

// Whether the nodeSelector and the required node affinity of a pod let it go to the node.
bool mayGoTo(const object::Labels& nodeSelector, const std::optional<Affinity>& affinity, const std::string& nodeName,
             const object::Labels& labels);

struct Toleration {
  std::string key;
  std::string op;  // "Equal" when empty
  std::string value;
  std::string effect;

  bool operator==(const Toleration&) const = default;
};

struct Taint {
  std::string key;
  std::string value;
  std::string effect;

  bool operator==(const Taint&) const = default;
};

bool tolerates(const Toleration& toleration, const Taint& taint);

}  // namespace godwit::kinds

namespace godwit::schema {

template <>
inline constexpr auto names<object::Requirement::Operator> =
    std::to_array<std::pair<object::Requirement::Operator, std::string_view>>(
        {{object::Requirement::Operator::In, "In"},
         {object::Requirement::Operator::NotIn, "NotIn"},
         {object::Requirement::Operator::Exists, "Exists"},
         {object::Requirement::Operator::DoesNotExist, "DoesNotExist"},
         {object::Requirement::Operator::Gt, "Gt"},
         {object::Requirement::Operator::Lt, "Lt"}});

template <>
inline constexpr auto schema<object::Requirement> =
    object(field<&object::Requirement::key>("key", "The label that is asked for.", required),
           field<&object::Requirement::op>("operator", "How it is compared.", required),
           field<&object::Requirement::values>("values", "With what; one integer for Gt and Lt, none for Exists."));

template <>
inline constexpr auto schema<kinds::NodeSelectorTerm> =
    object(field<&kinds::NodeSelectorTerm::matchExpressions>("matchExpressions", "Requirements on node labels."),
           field<&kinds::NodeSelectorTerm::matchFields>("matchFields", "Requirements on metadata.name."));

template <>
inline constexpr auto schema<kinds::NodeSelector> =
    object(field<&kinds::NodeSelector::nodeSelectorTerms>("nodeSelectorTerms", "Any of these must match."));

template <>
inline constexpr auto schema<kinds::PreferredNodes> = object(
    field<&kinds::PreferredNodes::weight>("weight", "How much it counts, from 1 to 100.", required, between(1, 100)),
    field<&kinds::PreferredNodes::preference>("preference", "Nodes that are better.", required));

template <>
inline constexpr auto schema<kinds::NodeAffinity> =
    object(field<&kinds::NodeAffinity::required>("requiredDuringSchedulingIgnoredDuringExecution",
                                                 "Nodes that may be chosen at all."),
           field<&kinds::NodeAffinity::preferred>("preferredDuringSchedulingIgnoredDuringExecution",
                                                  "Which of them are better."));

template <>
inline constexpr auto schema<kinds::LabelQuery> =
    object(field<&kinds::LabelQuery::matchLabels>("matchLabels", "Labels that must be equal."),
           field<&kinds::LabelQuery::matchExpressions>("matchExpressions", "Further requirements."));

template <>
inline constexpr auto schema<kinds::PodAffinityTerm> = object(
    field<&kinds::PodAffinityTerm::labelSelector>("labelSelector", "Which pods."),
    field<&kinds::PodAffinityTerm::topologyKey>("topologyKey", "Node label that says what is one place."),
    field<&kinds::PodAffinityTerm::namespaces>("namespaces", "Whose pods; its own namespace's when none is named."),
    kept("namespaceSelector", "matchLabelKeys", "mismatchLabelKeys"));

template <>
inline constexpr auto schema<kinds::PreferredPods> = object(
    field<&kinds::PreferredPods::weight>("weight", "How much it counts, from 1 to 100.", required, between(1, 100)),
    field<&kinds::PreferredPods::podAffinityTerm>("podAffinityTerm", "Pods to be near, or away from.", required));

template <>
inline constexpr auto schema<kinds::PodAffinity> =
    object(field<&kinds::PodAffinity::required>("requiredDuringSchedulingIgnoredDuringExecution", "All must hold."),
           field<&kinds::PodAffinity::preferred>("preferredDuringSchedulingIgnoredDuringExecution",
                                                 "The more hold, the better."));

template <>
inline constexpr auto schema<kinds::Affinity> =
    object(field<&kinds::Affinity::nodeAffinity>("nodeAffinity", "Which nodes."),
           field<&kinds::Affinity::podAffinity>("podAffinity", "Near which pods."),
           field<&kinds::Affinity::podAntiAffinity>("podAntiAffinity", "Away from which pods."));

template <>
inline constexpr auto schema<kinds::Toleration> = object(
    field<&kinds::Toleration::key>("key", "Taint key; every taint when empty."),
    field<&kinds::Toleration::op>("operator", "Equal or Exists."),
    field<&kinds::Toleration::value>("value", "Taint value."),
    field<&kinds::Toleration::effect>("effect", "Taint effect; every effect when empty."), kept("tolerationSeconds"));

template <>
inline constexpr auto schema<kinds::Taint> = object(field<&kinds::Taint::key>("key", "Key.", required),
                                                    field<&kinds::Taint::value>("value", "Value."),
                                                    field<&kinds::Taint::effect>("effect", "Effect.", required),
                                                    kept("timeAdded"));

}  // namespace godwit::schema
