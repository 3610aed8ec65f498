#pragma once

#include <optional>
#include <string_view>

#include "kinds/virtual_machine_instance.hpp"

// A VirtualMachine is the wish that an instance exists, or does not.
namespace godwit::controllers::virtual_machine {

struct Observed {
  struct Instance {
    kinds::InstancePhase phase = kinds::InstancePhase::Unset;
    bool beingDeleted = false;
    bool moving = false;
  };

  bool wanted = false;
  bool beingDeleted = false;
  std::optional<Instance> instance;
};

enum class Duty { Rest, CreateInstance, DeleteInstance };

struct Step {
  std::string_view printableStatus;
  Duty duty = Duty::Rest;

  bool operator==(const Step&) const = default;
};

Step decide(const Observed& observed);

}  // namespace godwit::controllers::virtual_machine
