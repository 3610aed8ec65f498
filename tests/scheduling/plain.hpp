#pragma once

#include <map>
#include <string>
#include <vector>

#include "scheduler/filters.hpp"

namespace godwit::scheduler {

// The scheduler that nobody could get wrong: it asks every node, and looks at every pod to know the neighbourhood. What
// the real one is compared with, for what it says and for how long it takes.
class PlainScheduler {
 public:
  void setNode(const kinds::Node& node);
  void removeNode(const std::string& name);
  // Where the pod takes up room.
  void setPod(const kinds::Pod& pod, const std::string& node);
  void removePod(const object::Key& key) { pods_.erase(key); }

  // The nodes that would take the pod, by name; itself does not count.
  std::vector<std::string> admitting(const kinds::Pod& pod, std::span<const ClaimView> claims) const;

 private:
  struct Placed {
    kinds::Pod pod;
    Resources requests;
    std::string node;
  };
  // The counts that a neighbourhood borrows.
  struct Surroundings {
    std::vector<std::unique_ptr<Tally>> tallies;
    Neighbourhood neighbourhood;
  };

  Surroundings around(const kinds::Pod& pod) const;
  void meet(const kinds::Pod& pod, const Placed& other, Surroundings& around) const;

  std::map<std::string, NodeView> nodes_;
  std::map<object::Key, Placed> pods_;
};

}  // namespace godwit::scheduler
