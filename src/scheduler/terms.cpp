#include "scheduler/terms.hpp"

#include <algorithm>

#include "kinds/words.hpp"
#include "scheduler/spelling.hpp"

namespace godwit::scheduler {
namespace {

// Labels whose values differ from guest to guest: Godwit's own, and those that templates by custom name the VM with.
constexpr std::string_view kPersonal[] = {
    kinds::words::kCreatedBy, kinds::words::kVmiName, kinds::words::kMigrationJobUid,
    "kubevirt.io/domain",     "kubevirt.io/vm",       "vm.kubevirt.io/name"};

const kinds::PodAffinity* companyOf(const kinds::Pod& pod) {
  const auto& affinity = pod.spec.affinity;
  return affinity && affinity->podAffinity ? &*affinity->podAffinity : nullptr;
}

const kinds::PodAffinity* distanceOf(const kinds::Pod& pod) {
  const auto& affinity = pod.spec.affinity;
  return affinity && affinity->podAntiAffinity ? &*affinity->podAntiAffinity : nullptr;
}

Term termOf(const kinds::PodAffinityTerm& term, const kinds::Pod& owner, std::int64_t weight) {
  auto namespaces = term.namespaces;
  if (namespaces.empty()) namespaces.push_back(owner.metadata.nameSpace);
  std::sort(namespaces.begin(), namespaces.end());
  return {.audience = {std::move(namespaces), term.labelSelector}, .label = term.topologyKey, .weight = weight};
}

std::vector<Term> requiredOf(const kinds::PodAffinity* affinity, const kinds::Pod& owner, std::int64_t weight) {
  std::vector<Term> terms;
  if (affinity)
    for (const kinds::PodAffinityTerm& term : affinity->required) terms.push_back(termOf(term, owner, weight));
  return terms;
}

}  // namespace

bool Audience::includes(const kinds::Pod& pod) const {
  return std::binary_search(namespaces.begin(), namespaces.end(), pod.metadata.nameSpace) &&
         kinds::matches(labels, pod.metadata.labels);
}

std::vector<Term> requiredCompany(const kinds::Pod& pod) { return requiredOf(companyOf(pod), pod, 1); }
std::vector<Term> requiredDistance(const kinds::Pod& pod) { return requiredOf(distanceOf(pod), pod, -1); }

std::vector<Term> preferences(const kinds::Pod& pod) {
  std::vector<Term> terms;
  if (const auto* company = companyOf(pod))
    for (const auto& [weight, term] : company->preferred) terms.push_back(termOf(term, pod, weight));
  if (const auto* distance = distanceOf(pod))
    for (const auto& [weight, term] : distance->preferred) terms.push_back(termOf(term, pod, -weight));
  return terms;
}

bool seeksCompany(const kinds::Pod& pod) {
  const auto* company = companyOf(pod);
  return company && !company->required.empty();
}

std::string familyOf(const kinds::Pod& pod) {
  std::string family;
  spell(family, pod.metadata.nameSpace);
  for (const auto& [label, value] : pod.metadata.labels) {
    if (std::find(std::begin(kPersonal), std::end(kPersonal), label) != std::end(kPersonal)) continue;
    spell(family, label);
    spell(family, value);
  }
  return family;
}

void spell(std::string& out, const Term& term) {
  spell(out, term.label);
  for (const std::string& name : term.audience.namespaces) spell(out, name);
  for (const auto& [label, value] : term.audience.labels.matchLabels) {
    out += '=';
    spell(out, label);
    spell(out, value);
  }
  for (const object::Requirement& requirement : term.audience.labels.matchExpressions) {
    out += '?';
    out += std::to_string(static_cast<int>(requirement.op));
    spell(out, requirement.key);
    for (const std::string& value : requirement.values) spell(out, value);
  }
}

}  // namespace godwit::scheduler
