#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "kinds/node.hpp"
#include "kinds/pod.hpp"
#include "kinds/volume.hpp"

// All that the choice of a node may see, as plain values.
namespace godwit::scheduler {

struct Resources {
  std::int64_t memoryBytes = 0;
  std::int64_t milliCpu = 0;

  bool operator==(const Resources&) const = default;
};

struct NodeView {
  std::string name;
  object::Labels labels;
  std::vector<kinds::Taint> taints;
  bool unschedulable = false;
  bool ready = true;
  Resources allocatable;
  Resources used;                                       // by the pods below
  std::vector<std::shared_ptr<const kinds::Pod>> pods;  // bound here, or about to be

  bool operator==(const NodeView&) const = default;
};

// The nodes whose label has one of the values, for each label named.
using Places = std::map<std::string, std::set<std::string>>;

// Where the pods that are placed already draw this one to, and keep it from.
struct Neighbourhood {
  Places avoided;               // by this pod, for who is there
  Places defended;              // by those who are there, against such as this pod
  Places sought;                // every label named must have one of its values...
  bool firstOfItsKind = false;  // ...or any, because this pod seeks its like and there is none yet

  bool operator==(const Neighbourhood&) const = default;
};

// A claim that the pod mounts, and what is known of it.
struct ClaimView {
  enum class State {
    Missing,
    BeingDeleted,
    VolumeMissing,  // it names one that does not exist
    Unbound,        // others bind it, whatever the pod does
    Waiting,        // for the node of its first consumer
    Binding,        // its volume is known
    Bound,
  };

  std::string name;
  State state = State::Bound;
  std::string volume = "";  // that it names
  // Binding and Bound: the nodes that reach the volume; all when absent.
  std::optional<kinds::NodeSelector> reachableFrom = std::nullopt;
  // Waiting: the node it was promised to, if that still exists.
  std::string selectedNode = "";
  // Waiting: whether a volume can be made anywhere; if not, who reaches the free ones that would do.
  bool canBeMade = false;
  std::vector<std::optional<kinds::NodeSelector>> freeVolumes = {};

  bool operator==(const ClaimView&) const = default;
};

// What a pod asks of its node.
struct Demand {
  object::Labels nodeSelector;
  std::optional<kinds::NodeSelector> nodeAffinity;
  std::vector<kinds::Toleration> tolerations;
  Resources requests;
  Neighbourhood neighbourhood;
  std::vector<ClaimView> claims;

  bool operator==(const Demand&) const = default;
};

// Whether it is the scheduler's to place.
bool isWaiting(const kinds::Pod& pod);

// The node without any pods.
NodeView viewOf(const kinds::Node& node);
// Counts the pod as one of the node's.
void place(std::shared_ptr<const kinds::Pod> pod, NodeView& node);

// Without its claims.
Demand demandOf(const kinds::Pod& pod, std::span<const NodeView> nodes);

}  // namespace godwit::scheduler
