#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "scheduler/choose.hpp"

namespace godwit::scheduler {

// All nodes in the order of their names, and by label. They are borrowed, with the labels they had when they were
// added.
class NodeIndex {
 public:
  using List = std::vector<const NodeView*>;

  void add(const NodeView& node);
  void remove(const NodeView& node);

  Nodes all() const { return all_; }
  // All nodes that may admit the pod are among these. They lie here, or are put into `gathered`.
  Nodes promising(const Demand& demand, List& gathered) const;

 private:
  // Nodes that one thing which the pod insists on leaves.
  struct Choice {
    std::vector<const List*> lists;
    std::size_t size = 0;
  };

  template <class Values>
  void narrow(Choice& best, const std::string& label, const Values& values) const;
  void narrow(Choice& best, const kinds::NodeSelector& selector) const;
  void narrow(Choice& best, const Neighbourhood& neighbourhood) const;

  List all_;
  std::unordered_map<std::string, List> byLabel_;  // as spelled; under the label "" by the name
};

}  // namespace godwit::scheduler
