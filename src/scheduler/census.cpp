#include "scheduler/census.hpp"

#include <algorithm>

#include "scheduler/spelling.hpp"

namespace godwit::scheduler {
namespace {

// Those that nobody asks for again are forgotten, with the rest, when there are more.
constexpr std::size_t kMostHeadcounts = 4096;

const std::string kAnywhere;

template <class Counts>
void shift(Counts& counts, const typename Counts::key_type& where, std::int64_t change) {
  const auto entry = counts.try_emplace(where, 0).first;
  entry->second += change;
  if (entry->second == 0) counts.erase(entry);
}

void shiftAt(Tally& tally, const NodeView& node, std::int64_t change) {
  if (const Name* value = valueOf(node, tally.label)) shift(tally.counts, *value, change);
}

// The names of the crowds that the pod belongs to.
std::vector<std::string> crowdsOf(const kinds::Pod& pod) {
  std::vector<std::string> labels = spell(pod.metadata.labels);
  labels.push_back(kAnywhere);
  return labels;
}

bool allInclude(const std::vector<Term>& terms, const kinds::Pod& pod) {
  return std::all_of(terms.begin(), terms.end(), [&](const Term& term) { return term.audience.includes(pod); });
}

}  // namespace

void Census::add(const kinds::Pod& pod, const NodeView& node) {
  Resident& resident = residents_.try_emplace(&pod, Resident{pod, node}).first->second;
  for (const std::string& label : crowdsOf(pod)) {
    auto& crowd = *crowds_.try_emplace(label).first;
    Members& members = crowd.second.members;
    resident.memberships.push_back({&crowd, members.insert(members.end(), &resident)});
    for (Headcount* headcount : crowd.second.headcounts) count(resident, *headcount, 1);
  }
  resident.family = &*families_.try_emplace(familyOf(pod)).first;
  shift(resident.family->second, &node, 1);
  countVoices(pod, node, 1);
}

void Census::remove(const kinds::Pod& pod) {
  const auto found = residents_.find(&pod);
  const Resident& resident = found->second;
  for (const auto& [crowd, entry] : resident.memberships) {
    crowd->second.members.erase(entry);
    for (Headcount* headcount : crowd->second.headcounts) count(resident, *headcount, -1);
    if (crowd->second.empty()) crowds_.erase(crowds_.find(crowd->first));
  }
  Siblings& siblings = resident.family->second;
  shift(siblings, &resident.node, -1);
  if (siblings.empty()) families_.erase(families_.find(resident.family->first));
  countVoices(pod, resident.node, -1);
  residents_.erase(found);
}

void Census::count(const Resident& resident, Headcount& headcount, std::int64_t change) {
  if (allInclude(headcount.terms, resident.pod)) shiftAt(headcount.tally, resident.node, change);
}

std::vector<Census::Voice> Census::voicesOf(const kinds::Pod& pod) {
  std::vector<Voice> voices;
  for (Term& term : requiredDistance(pod)) voices.push_back({.term = std::move(term), .defends = true});
  // Whom somebody must be near had better come to it: kube-scheduler counts it as the weakest wish.
  for (Term& term : requiredCompany(pod)) voices.push_back({.term = std::move(term)});
  for (Term& term : preferences(pod)) voices.push_back({.term = std::move(term)});
  return voices;
}

void Census::countVoices(const kinds::Pod& pod, const NodeView& node, std::int64_t change) {
  for (Voice& voice : voicesOf(pod)) {
    std::string key = std::to_string(voice.term.weight) + (voice.defends ? '!' : '~');
    spell(key, voice.term);
    const auto [entry, fresh] = voices_.try_emplace(std::move(key), std::move(voice));
    Voice& counted = entry->second;
    if (fresh) {
      counted.owners.label = counted.term.label;
      counted.anchors = anchorsOf(counted.term.audience.labels);
      anchor(counted, &Crowd::voices);
    }
    shiftAt(counted.owners, node, change);
    if (!counted.owners.empty()) continue;
    release(counted, &Crowd::voices);
    voices_.erase(entry);
  }
}

std::vector<std::string> Census::anchorsOf(const kinds::LabelQuery& query) const {
  const auto sizeOf = [&](const std::string& label) {
    const auto found = crowds_.find(label);
    return found == crowds_.end() ? 0 : found->second.members.size();
  };
  std::vector<std::string> labels = spell(query.matchLabels);
  if (!labels.empty())
    return {*std::min_element(labels.begin(), labels.end(),
                              [&](const auto& left, const auto& right) { return sizeOf(left) < sizeOf(right); })};
  for (const object::Requirement& requirement : query.matchExpressions) {
    if (requirement.op != object::Requirement::Operator::In) continue;
    for (const std::string& value : requirement.values) labels.push_back(spell(requirement.key, value));
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    break;
  }
  if (labels.empty()) labels.push_back(kAnywhere);
  return labels;
}

template <class Entry>
void Census::anchor(Entry& entry, std::vector<Entry*> Crowd::*list) {
  for (const std::string& label : entry.anchors) (crowds_[label].*list).push_back(&entry);
}

template <class Entry>
void Census::release(Entry& entry, std::vector<Entry*> Crowd::*list) {
  for (const std::string& label : entry.anchors) {
    const auto crowd = crowds_.find(label);
    std::erase(crowd->second.*list, &entry);
    if (crowd->second.empty()) crowds_.erase(crowd);
  }
}

void Census::countAnew(Headcount& headcount) const {
  for (const std::string& label : headcount.anchors) {
    const auto crowd = crowds_.find(label);
    if (crowd == crowds_.end()) continue;
    for (const Resident* resident : crowd->second.members) count(*resident, headcount, 1);
  }
}

void Census::forgetHeadcounts() {
  for (auto& [key, headcount] : headcounts_) release(headcount, &Crowd::headcounts);
  headcounts_.clear();
}

const Tally* Census::headcountOf(std::vector<Term> terms, const std::string& label) {
  std::string key;
  spell(key, label);
  for (const Term& term : terms) {
    key += '&';
    spell(key, term);
  }
  const auto [entry, fresh] = headcounts_.try_emplace(std::move(key));
  Headcount& headcount = entry->second;
  if (fresh) {
    headcount.anchors = anchorsOf(terms.front().audience.labels);
    headcount.terms = std::move(terms);
    headcount.tally.label = label;
    countAnew(headcount);
    anchor(headcount, &Crowd::headcounts);
  }
  return &headcount.tally;
}

Neighbourhood Census::around(const kinds::Pod& pod) {
  if (headcounts_.size() > kMostHeadcounts) forgetHeadcounts();
  Neighbourhood found;
  const auto family = families_.find(familyOf(pod));
  if (family != families_.end()) found.siblings = &family->second;
  for (const Term& term : requiredDistance(pod)) found.avoided.push_back(headcountOf({term}, term.label));
  const std::vector<Term> company = requiredCompany(pod);
  for (const Term& term : company) found.sought.push_back(headcountOf(company, term.label));
  const bool alone =
      std::all_of(found.sought.begin(), found.sought.end(), [](const Tally* tally) { return tally->empty(); });
  found.firstOfItsKind = !company.empty() && alone && allInclude(company, pod);
  for (const Term& term : preferences(pod))
    found.leanings.push_back({.tally = headcountOf({term}, term.label), .weight = term.weight});
  for (const std::string& label : crowdsOf(pod)) {
    const auto crowd = crowds_.find(label);
    if (crowd != crowds_.end()) hear(crowd->second.voices, pod, found);
  }
  return found;
}

void Census::hear(const std::vector<Voice*>& voices, const kinds::Pod& pod, Neighbourhood& found) {
  for (const Voice* voice : voices) {
    if (!voice->term.audience.includes(pod)) continue;
    if (voice->defends)
      found.defended.push_back(&voice->owners);
    else
      found.leanings.push_back({.tally = &voice->owners, .weight = voice->term.weight});
  }
}

}  // namespace godwit::scheduler
