#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "schema/schema.hpp"

namespace godwit::kinds {

// What an object says about itself: "True", "False" or "Unknown", since when, and why.
struct Condition {
  std::string type;
  std::string status;
  std::string reason;
  std::string message;
  std::optional<Timestamp> lastTransitionTime;

  bool operator==(const Condition&) const = default;
};

const Condition* findCondition(const std::vector<Condition>& conditions, std::string_view type);
bool isTrue(const std::vector<Condition>& conditions, std::string_view type);

// Replaces the condition of that type. The transition time moves only when the status does.
void setCondition(std::vector<Condition>& conditions, Condition condition, Timestamp now);

void dropCondition(std::vector<Condition>& conditions, std::string_view type);

// When an object entered a phase; KubeVirt's kinds keep one entry per phase passed.
struct PhaseTransition {
  std::string phase;
  std::optional<Timestamp> phaseTransitionTimestamp;

  bool operator==(const PhaseTransition&) const = default;
};

// When the phase was entered last, or nothing if it never was.
std::optional<Timestamp> enteredAt(const std::vector<PhaseTransition>& transitions, std::string_view phase);

}  // namespace godwit::kinds

namespace godwit::schema {

template <>
inline constexpr auto schema<kinds::Condition> =
    object(field<&kinds::Condition::type>("type", "What is said.", required),
           field<&kinds::Condition::status>("status", "True, False or Unknown.", required),
           field<&kinds::Condition::reason>("reason", "One word for machines."),
           field<&kinds::Condition::message>("message", "A sentence for people."),
           field<&kinds::Condition::lastTransitionTime>("lastTransitionTime", "When the status last changed."), open);

template <>
inline constexpr auto schema<kinds::PhaseTransition> =
    object(field<&kinds::PhaseTransition::phase>("phase", "The phase that was entered."),
           field<&kinds::PhaseTransition::phaseTransitionTimestamp>("phaseTransitionTimestamp", "When."));

}  // namespace godwit::schema
