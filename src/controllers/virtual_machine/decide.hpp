#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kinds/virtual_machine.hpp"

// A VirtualMachine is the wish that an instance exists, or does not.
namespace godwit::controllers::virtual_machine {

struct Observed {
  struct Instance {
    kinds::InstancePhase phase = kinds::InstancePhase::Unset;
    bool beingDeleted = false;
    bool moving = false;
    bool volumesUnfilled = false;
    std::string uid = {};
    Duration ran = {};           // from its start to its end, or until now
    bool volumesMoving = false;  // which claims are its machine's is not decided yet
  };

  bool wanted = false;
  bool beingDeleted = false;
  std::optional<Instance> instance = {};
  std::optional<kinds::StartFailure> failure = {};  // on record
  Timestamp now = {};
};

enum class Duty { Rest, CreateInstance, DeleteInstance };

struct Step {
  std::string_view printableStatus;
  Duty duty = Duty::Rest;

  bool operator==(const Step&) const = default;
};

Step decide(const Observed& observed);

// The failures to have on record: one more when an instance has ended soon after its start. Each is followed
// by a longer wait; an instance that has run for a while is the end of the row.
std::optional<kinds::StartFailure> failureAfter(const Observed& observed);

}  // namespace godwit::controllers::virtual_machine
