#include "scheduler/census.hpp"

#include <algorithm>

#include "scheduler/spelling.hpp"

namespace godwit::scheduler {
namespace {

// Those that nobody asks for again are forgotten, with the rest, when there are more.
constexpr std::size_t kMostHeadcounts = 4096;

const std::string kAnywhere;

void shift(Tally& tally, const std::string& value, std::int64_t change) {
  const auto entry = tally.try_emplace(value, 0).first;
  entry->second += change;
  if (entry->second == 0) tally.erase(entry);
}

// A node without the label is in no place that the term knows.
void shiftAt(Tally& tally, const NodeView& node, const std::string& label, std::int64_t change) {
  const auto found = node.labels.find(label);
  if (found != node.labels.end()) shift(tally, found->second, change);
}

bool allInclude(const std::vector<Term>& terms, const kinds::Pod& pod) {
  return std::all_of(terms.begin(), terms.end(), [&](const Term& term) { return term.audience.includes(pod); });
}

}  // namespace

template <class Entry>
void Census::ByAnchor<Entry>::add(Entry& entry) {
  if (entry.anchors.empty()) entries_[kAnywhere].push_back(&entry);
  for (const std::string& anchor : entry.anchors) entries_[anchor].push_back(&entry);
}

template <class Entry>
void Census::ByAnchor<Entry>::remove(Entry& entry) {
  const auto removeFrom = [&](const std::string& anchor) {
    const auto found = entries_.find(anchor);
    std::erase(found->second, &entry);
    if (found->second.empty()) entries_.erase(found);
  };
  if (entry.anchors.empty()) removeFrom(kAnywhere);
  for (const std::string& anchor : entry.anchors) removeFrom(anchor);
}

template <class Entry>
template <class Visitor>
void Census::ByAnchor<Entry>::visit(const std::vector<std::string>& labels, Visitor visitor) const {
  const auto visitAll = [&](const std::string& anchor) {
    const auto found = entries_.find(anchor);
    if (found == entries_.end()) return;
    for (Entry* entry : found->second) visitor(*entry);
  };
  visitAll(kAnywhere);
  for (const std::string& label : labels) visitAll(label);
}

void Census::add(const kinds::Pod& pod, const NodeView& node) {
  residents_[kAnywhere].emplace(&pod, &node);
  for (const std::string& label : spell(pod.metadata.labels)) residents_[label].emplace(&pod, &node);
  count(pod, node, 1);
}

void Census::remove(const kinds::Pod& pod, const NodeView& node) {
  const auto removeFrom = [&](const std::string& label) {
    const auto found = residents_.find(label);
    found->second.erase(&pod);
    if (found->second.empty()) residents_.erase(found);
  };
  removeFrom(kAnywhere);
  for (const std::string& label : spell(pod.metadata.labels)) removeFrom(label);
  count(pod, node, -1);
}

void Census::count(const kinds::Pod& pod, const NodeView& node, std::int64_t change) {
  const auto family = families_.try_emplace(familyOf(pod)).first;
  shift(family->second, node.name, change);
  if (family->second.empty()) families_.erase(family);
  countVoices(pod, node, change);
  headcountsByAnchor_.visit(spell(pod.metadata.labels), [&](Headcount& headcount) {
    if (allInclude(headcount.terms, pod)) shiftAt(headcount.counts, node, headcount.label, change);
  });
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
      counted.anchors = anchorsOf(counted.term.audience.labels);
      voicesByAnchor_.add(counted);
    }
    shiftAt(counted.owners, node, counted.term.label, change);
    if (!counted.owners.empty()) continue;
    voicesByAnchor_.remove(counted);
    voices_.erase(entry);
  }
}

std::vector<std::string> Census::anchorsOf(const kinds::LabelQuery& query) const {
  const auto residents = [&](const std::string& label) {
    const auto found = residents_.find(label);
    return found == residents_.end() ? 0 : found->second.size();
  };
  std::vector<std::string> labels = spell(query.matchLabels);
  if (!labels.empty())
    return {*std::min_element(labels.begin(), labels.end(),
                              [&](const auto& left, const auto& right) { return residents(left) < residents(right); })};
  for (const object::Requirement& requirement : query.matchExpressions) {
    if (requirement.op != object::Requirement::Operator::In) continue;
    for (const std::string& value : requirement.values) labels.push_back(spell(requirement.key, value));
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    break;
  }
  return labels;
}

void Census::countAnew(Headcount& headcount) const {
  const auto countIn = [&](const std::string& label) {
    const auto found = residents_.find(label);
    if (found == residents_.end()) return;
    for (const auto& [pod, node] : found->second)
      if (allInclude(headcount.terms, *pod)) shiftAt(headcount.counts, *node, headcount.label, 1);
  };
  if (headcount.anchors.empty()) countIn(kAnywhere);
  for (const std::string& anchor : headcount.anchors) countIn(anchor);
}

Region Census::regionOf(std::vector<Term> terms, const std::string& label) {
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
    headcount.label = label;
    countAnew(headcount);
    headcountsByAnchor_.add(headcount);
  }
  return {label, &headcount.counts};
}

Neighbourhood Census::around(const kinds::Pod& pod) {
  if (headcounts_.size() > kMostHeadcounts) {
    headcounts_.clear();
    headcountsByAnchor_ = {};
  }
  Neighbourhood found;
  const auto family = families_.find(familyOf(pod));
  if (family != families_.end()) found.siblings = &family->second;
  for (const Term& term : requiredDistance(pod)) found.avoided.push_back(regionOf({term}, term.label));
  const std::vector<Term> company = requiredCompany(pod);
  for (const Term& term : company) found.sought.push_back(regionOf(company, term.label));
  const bool alone = std::all_of(found.sought.begin(), found.sought.end(),
                                 [](const Region& region) { return region.counts->empty(); });
  found.firstOfItsKind = !company.empty() && alone && allInclude(company, pod);
  for (const Term& term : preferences(pod))
    found.leanings.push_back({.region = regionOf({term}, term.label), .weight = term.weight});
  voicesByAnchor_.visit(spell(pod.metadata.labels), [&](const Voice& voice) {
    if (!voice.term.audience.includes(pod)) return;
    const Region region{voice.term.label, &voice.owners};
    if (voice.defends)
      found.defended.push_back(region);
    else
      found.leanings.push_back({.region = region, .weight = voice.term.weight});
  });
  return found;
}

}  // namespace godwit::scheduler
