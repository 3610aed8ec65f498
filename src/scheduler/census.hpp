#pragma once

#include <list>
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
  void remove(const kinds::Pod& pod);

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
    Tally tally;
    std::vector<std::string> anchors = {};
  };
  struct Resident;
  using Members = std::list<const Resident*>;
  // Those who have a label, and what speaks of nobody else: the label is its anchor, or one of several.
  struct Crowd {
    Members members = {};
    std::vector<Voice*> voices = {};
    std::vector<Headcount*> headcounts = {};

    bool empty() const { return members.empty() && voices.empty() && headcounts.empty(); }
  };
  using Crowds = std::unordered_map<std::string, Crowd>;
  using Families = std::unordered_map<std::string, Siblings>;
  struct Membership {
    Crowds::value_type* crowd;
    Members::iterator entry;
  };
  // Who is counted, with all that is needed to find it where it is.
  struct Resident {
    const kinds::Pod& pod;
    const NodeView& node;
    Families::value_type* family = nullptr;
    std::vector<Membership> memberships = {};
  };

  static std::vector<Voice> voicesOf(const kinds::Pod& pod);
  static void hear(const std::vector<Voice*>& voices, const kinds::Pod& pod, Neighbourhood& found);
  static void count(const Resident& resident, Headcount& headcount, std::int64_t change);
  void countVoices(const kinds::Pod& pod, const NodeView& node, std::int64_t change);
  // One or more such that the query speaks of nobody outside their crowds, which are as small as possible.
  std::vector<std::string> anchorsOf(const kinds::LabelQuery& query) const;
  template <class Entry>
  void anchor(Entry& entry, std::vector<Entry*> Crowd::*list);
  template <class Entry>
  void release(Entry& entry, std::vector<Entry*> Crowd::*list);
  const Tally* headcountOf(std::vector<Term> terms, const std::string& label);
  void countAnew(Headcount& headcount) const;
  void forgetHeadcounts();

  std::unordered_map<const kinds::Pod*, Resident> residents_;
  Crowds crowds_;      // by label, as spelled; everybody under ""
  Families families_;  // as spelled
  std::unordered_map<std::string, Voice> voices_;
  std::unordered_map<std::string, Headcount> headcounts_;  // of what pods have asked for
};

}  // namespace godwit::scheduler
