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
#include "scheduler/name.hpp"

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

// A label of a node, for those who ask for the value time and again.
struct Place {
  Name label;
  Name value;

  bool operator==(const Place&) const = default;
};

// What keeps pods off a node. Nodes with equal ones can share them: whoever has judged them once knows them again.
class Taints {
 public:
  Taints(std::vector<kinds::Taint> all = {})
      : all_(std::make_shared<const std::vector<kinds::Taint>>(std::move(all))) {}

  const std::vector<kinds::Taint>& all() const { return *all_; }
  bool areShared() const { return all_.use_count() > 1; }
  bool areSharedWith(const Taints& other) const { return all_ == other.all_; }

  bool operator==(const Taints& other) const { return areSharedWith(other) || all() == other.all(); }

 private:
  std::shared_ptr<const std::vector<kinds::Taint>> all_;
};

struct NodeView {
  std::string name;
  bool unschedulable = false;
  bool ready = true;
  Resources allocatable;
  Resources used;  // by the pods that are bound here, or about to be
  Taints taints;
  std::vector<Place> places;  // all its labels
  object::Labels labels;

  bool operator==(const NodeView&) const = default;
};

// Where pods of some sort are: how many by what the nodes there are labelled with; never 0.
struct Tally {
  Name label;
  std::unordered_map<Name, std::int64_t, NameHash> counts = {};

  bool empty() const { return counts.empty(); }
  // How many are where the node is; a node without the label is in no place that the tally knows.
  std::int64_t at(const NodeView& node) const;

  bool operator==(const Tally&) const = default;
};

// How many pods of one family are on a node; never 0.
using Siblings = std::unordered_map<const NodeView*, std::int64_t>;

// Places that are better, or worse, the more pods are counted there.
struct Leaning {
  const Tally* tally = nullptr;
  std::int64_t weight = 0;  // of each pod
};

// Where the pods that are placed already draw this one to, and keep it from. What is counted is borrowed.
struct Neighbourhood {
  std::vector<const Tally*> avoided;   // by this pod, for who is there
  std::vector<const Tally*> defended;  // by those who are there, against such as this pod
  std::vector<const Tally*> sought;    // a node must be in each...
  bool firstOfItsKind = false;         // ...or have its label, because this pod seeks its like and there is none yet
  std::vector<Leaning> leanings;       // by the wishes of either
  const Siblings* siblings = nullptr;  // of this pod; nobody when null
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

std::vector<Place> placesOf(const object::Labels& labels);
// The value of the node's label, or null.
const Name* valueOf(const NodeView& node, const Name& label);

// The node without any pods. One that does not say how many pods it takes takes any number.
NodeView viewOf(const kinds::Node& node);

Resources requestsOf(const kinds::Pod& pod);

}  // namespace godwit::scheduler
