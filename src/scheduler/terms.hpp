#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kinds/pod.hpp"

// What pods say about other pods.
namespace godwit::scheduler {

// The pods that a term speaks of.
struct Audience {
  std::vector<std::string> namespaces;
  kinds::LabelQuery labels;

  bool includes(const kinds::Pod& pod) const;
};

// A term, seen apart from the pod that has it.
struct Term {
  Audience audience;
  std::string label;        // of nodes, that says what is one place
  std::int64_t weight = 0;  // negative when the audience is to be avoided
};

std::vector<Term> requiredCompany(const kinds::Pod& pod);
std::vector<Term> requiredDistance(const kinds::Pod& pod);
// Wishes for company and for distance.
std::vector<Term> preferences(const kinds::Pod& pod);

// Whether the pod must be near others: only then can the arrival of one help it.
bool seeksCompany(const kinds::Pod& pod);

// A pod and its siblings, which had better be spread over nodes, spell the same: they are of one namespace and have the
// same labels, but for those that tell guests apart.
std::string familyOf(const kinds::Pod& pod);

// Terms that spell the same speak of the same pods in the same places.
void spell(std::string& out, const Term& term);

}  // namespace godwit::scheduler
