#pragma once

#include "controllers/world.hpp"

namespace godwit::controllers::virtual_machine_instance {

// Whether the migration that holds the instance is gone, as the server itself says, and has not begun to move the
// guest: its claim came late, when it had been cancelled for want of an answer. Nobody else ends such a hold.
Result<bool> isHeldByNobody(const World& world, const kinds::VirtualMachineInstance& instance);

// The instance, free for the next migration.
kinds::VirtualMachineInstance released(kinds::VirtualMachineInstance instance, Timestamp now);

}  // namespace godwit::controllers::virtual_machine_instance
