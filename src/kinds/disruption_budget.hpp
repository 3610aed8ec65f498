#pragma once

#include "schema/codec.hpp"
#include "schema/metadata.hpp"

namespace godwit::kinds {

struct DisruptionBudgetSpec {
  bool operator==(const DisruptionBudgetSpec&) const = default;
};

// Kept for those who have some. Older clients delete pods instead of evicting them where its group is not served, and a
// guest whose pod is deleted ends.
struct PodDisruptionBudget {
  schema::Metadata metadata;
  DisruptionBudgetSpec spec;

  bool operator==(const PodDisruptionBudget&) const = default;
};

}  // namespace godwit::kinds

namespace godwit::schema {

template <>
inline constexpr auto schema<kinds::DisruptionBudgetSpec> = object(kept("minAvailable", "maxUnavailable", "selector",
                                                                        "unhealthyPodEvictionPolicy"));

template <>
inline constexpr auto schema<kinds::PodDisruptionBudget> =
    object(field<&kinds::PodDisruptionBudget::metadata>("metadata", "Metadata."),
           field<&kinds::PodDisruptionBudget::spec>("spec", "How many pods may be missing."), kept("status"));

inline constexpr std::string_view kDisruptionBudgetShortNames[] = {"pdb"};
template <>
inline constexpr Kind kind<kinds::PodDisruptionBudget> = {.group = "policy",
                                                          .version = "v1",
                                                          .name = "PodDisruptionBudget",
                                                          .plural = "poddisruptionbudgets",
                                                          .singular = "poddisruptionbudget",
                                                          .shortNames = kDisruptionBudgetShortNames};

}  // namespace godwit::schema
