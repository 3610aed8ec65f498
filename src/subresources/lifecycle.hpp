#pragma once

#include <optional>

#include "base/result.hpp"
#include "kinds/virtual_machine.hpp"
#include "object/document.hpp"
#include "subresources/options.hpp"

// Start, stop and restart as wishes: what is written on the machine so that its controller does it. Each changes
// the document it is given, or refuses with Conflict and leaves it alone.
namespace godwit::subresources {

struct Machine {
  kinds::VirtualMachine machine;
  std::optional<kinds::VirtualMachineInstance> instance;
};

Result<> start(const Machine& seen, const StartOptions& options, object::Document& machine);
Result<> stop(const Machine& seen, const StopOptions& options, object::Document& machine);
Result<> restart(const Machine& seen, const RestartOptions& options, object::Document& machine);

// Makes the guest stand still, or run again.
Result<> pause(const kinds::VirtualMachineInstance& seen, object::Document& instance);
Result<> unpause(const kinds::VirtualMachineInstance& seen, object::Document& instance);

// Whether the guest can be asked to move.
Result<> checkMigratable(const kinds::VirtualMachineInstance& instance);

}  // namespace godwit::subresources
