#pragma once

#include "kinds/condition.hpp"
#include "kinds/node_selector.hpp"
#include "schema/codec.hpp"
#include "schema/metadata.hpp"

namespace godwit::kinds {

struct NodeSpec {
  bool unschedulable = false;
  std::vector<Taint> taints;

  bool operator==(const NodeSpec&) const = default;
};

struct NodeAddress {
  std::string type;  // InternalIP, Hostname
  std::string address;

  bool operator==(const NodeAddress&) const = default;
};

struct DaemonEndpoint {
  std::int64_t port = 0;

  bool operator==(const DaemonEndpoint&) const = default;
};

// Where the node itself answers: for the consoles of its guests, and the words of its movers.
struct NodeEndpoints {
  DaemonEndpoint kubeletEndpoint;

  bool operator==(const NodeEndpoints&) const = default;
};

struct NodeSystem {
  std::string bootID;  // nodes that share it are on one machine

  bool operator==(const NodeSystem&) const = default;
};

struct NodeStatus {
  std::vector<NodeAddress> addresses = {};
  NodeEndpoints daemonEndpoints = {};
  NodeSystem nodeInfo = {};
  std::map<std::string, std::string> capacity;
  std::map<std::string, std::string> allocatable;
  std::vector<Condition> conditions;

  bool operator==(const NodeStatus&) const = default;
};

struct Node {
  schema::Metadata metadata;
  NodeSpec spec;
  NodeStatus status;

  bool operator==(const Node&) const = default;
};

}  // namespace godwit::kinds

namespace godwit::schema {

template <>
inline constexpr auto schema<kinds::NodeSpec> =
    object(field<&kinds::NodeSpec::unschedulable>("unschedulable", "Whether it takes new pods."),
           field<&kinds::NodeSpec::taints>("taints", "What pods must tolerate to land here."), open);

template <>
inline constexpr auto schema<kinds::NodeAddress> =
    object(field<&kinds::NodeAddress::type>("type", "InternalIP or Hostname.", required),
           field<&kinds::NodeAddress::address>("address", "The address.", required));

template <>
inline constexpr auto schema<kinds::DaemonEndpoint> = object(field<&kinds::DaemonEndpoint::port>("Port", "Port."));

template <>
inline constexpr auto schema<kinds::NodeEndpoints> =
    object(field<&kinds::NodeEndpoints::kubeletEndpoint>("kubeletEndpoint", "Where the node itself answers."));

template <>
inline constexpr auto schema<kinds::NodeSystem> =
    object(field<&kinds::NodeSystem::bootID>("bootID", "Another one each time the machine starts."), open);

template <>
inline constexpr auto schema<kinds::NodeStatus> =
    object(field<&kinds::NodeStatus::addresses>("addresses", "Where it is."),
           field<&kinds::NodeStatus::daemonEndpoints>("daemonEndpoints", "Where it answers."),
           field<&kinds::NodeStatus::nodeInfo>("nodeInfo", "Which machine it is on."),
           field<&kinds::NodeStatus::capacity>("capacity", "What it has."),
           field<&kinds::NodeStatus::allocatable>("allocatable", "What pods may use of it."),
           field<&kinds::NodeStatus::conditions>("conditions", "How it is."), open);

template <>
inline constexpr auto schema<kinds::Node> = object(field<&kinds::Node::metadata>("metadata", "Metadata."),
                                                   field<&kinds::Node::spec>("spec", "Behaviour."),
                                                   field<&kinds::Node::status>("status",
                                                                               "State, as the node reports it."));

inline constexpr std::string_view kNodeShortNames[] = {"no"};
inline constexpr Column kNodeColumns[] = {
    {"Ready", ".status.conditions[?(@.type==\"Ready\")].status"},
    {"Memory", ".status.allocatable.memory"},
    {"Age", ".metadata.creationTimestamp", "date"},
};

template <>
inline constexpr Kind kind<kinds::Node> = {.group = "",
                                           .version = "v1",
                                           .name = "Node",
                                           .plural = "nodes",
                                           .singular = "node",
                                           .shortNames = kNodeShortNames,
                                           .scope = Scope::Cluster,
                                           .columns = kNodeColumns};

extern template const Shape& shapeFor<kinds::Node>();

}  // namespace godwit::schema
