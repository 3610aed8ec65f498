#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "scheduler/snapshot.hpp"
#include "scheduler/terms.hpp"

namespace godwit::scheduler {

// Counts pods by place as they come and go, so that nobody has to look at each of them to know what they mean to
// another. Pods and nodes are borrowed, and stay as they are, while they are counted.
class Census {
 public:
  void add(const kinds::Pod& pod, const NodeView& node);
  void remove(const kinds::Pod& pod, const NodeView& node);

  // What those who are counted mean to the pod, which is not. Holds until the next change, or question.
  Neighbourhood around(const kinds::Pod& pod);

 private:
  // A term that pods have, and where they are.
  struct Voice {
    Term term;
    bool defends = false;  // or only wishes
    Tally owners = {};
    std::vector<std::string> anchors = {};
  };
  // Where those are of whom all the terms speak.
  struct Headcount {
    std::vector<Term> terms;
    std::string label;
    Tally counts = {};
    std::vector<std::string> anchors = {};
  };
  // Finds what may speak of a pod by a label that such a pod must have: its anchor, one of several, or none.
  template <class Entry>
  class ByAnchor {
   public:
    void add(Entry& entry);
    void remove(Entry& entry);
    template <class Visitor>
    void visit(const std::vector<std::string>& labels, Visitor visitor) const;

   private:
    std::unordered_map<std::string, std::vector<Entry*>> entries_;
  };
  using Residents = std::unordered_map<const kinds::Pod*, const NodeView*>;

  static std::vector<Voice> voicesOf(const kinds::Pod& pod);
  void count(const kinds::Pod& pod, const NodeView& node, std::int64_t change);
  void countVoices(const kinds::Pod& pod, const NodeView& node, std::int64_t change);
  // As few residents as possible share them.
  std::vector<std::string> anchorsOf(const kinds::LabelQuery& query) const;
  Region regionOf(std::vector<Term> terms, const std::string& label);
  void countAnew(Headcount& headcount) const;

  std::unordered_map<std::string, Residents> residents_;  // by label, as spelled; all of them under ""
  std::unordered_map<std::string, Tally> families_;       // by the name of the node
  std::unordered_map<std::string, Voice> voices_;
  ByAnchor<Voice> voicesByAnchor_;
  std::unordered_map<std::string, Headcount> headcounts_;  // of what pods have asked for
  ByAnchor<Headcount> headcountsByAnchor_;
};

}  // namespace godwit::scheduler
