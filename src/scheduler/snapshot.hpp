#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinds/node.hpp"
#include "kinds/pod.hpp"
#include "kinds/volume.hpp"

// All that the choice of a node may see, as plain values.
namespace godwit::scheduler {

struct Resources {
  std::int64_t memoryBytes = 0;
  std::int64_t milliCpu = 0;
  std::int64_t pods = 0;

  Resources& operator+=(const Resources& more);
  Resources& operator-=(const Resources& less);
  bool operator==(const Resources&) const = default;
};

struct NodeView {
  std::string name;
  object::Labels labels;
  std::vector<kinds::Taint> taints;
  bool unschedulable = false;
  bool ready = true;
  Resources allocatable;
  Resources used;  // by the pods that are bound here, or about to be

  bool operator==(const NodeView&) const = default;
};

// How many pods of some sort are in a place, by what the nodes there are labelled with; never 0.
using Tally = std::unordered_map<std::string, std::int64_t>;

// The nodes whose label has one of the values that are counted. The counts are borrowed.
struct Region {
  std::string label;
  const Tally* counts = nullptr;
};

// A region that is better, or worse, the more pods are counted there.
struct Leaning {
  Region region;
  std::int64_t weight = 0;  // of each pod
};

// Where the pods that are placed already draw this one to, and keep it from.
struct Neighbourhood {
  std::vector<Region> avoided;      // by this pod, for who is there
  std::vector<Region> defended;     // by those who are there, against such as this pod
  std::vector<Region> sought;       // a node must be in each...
  bool firstOfItsKind = false;      // ...or have its label, because this pod seeks its like and there is none yet
  std::vector<Leaning> leanings;    // by the wishes of either
  const Tally* siblings = nullptr;  // by the name of the node; nobody when null
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
  const kinds::PodSpec& spec;
  Resources requests;
  std::span<const ClaimView> claims;
  Neighbourhood neighbourhood;
};

// Whether it is the scheduler's to place.
bool isWaiting(const kinds::Pod& pod);

// The node without any pods. One that does not say how many pods it takes takes any number.
NodeView viewOf(const kinds::Node& node);

Resources requestsOf(const kinds::Pod& pod);

}  // namespace godwit::scheduler
