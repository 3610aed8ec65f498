#pragma once

#include "kinds/virtual_machine.hpp"

namespace godwit::controllers::virtual_machine {

// Whether the machine runs with other than its template says, in fields that only a restart applies. Volumes
// that come and go, how the guest starts and stops, and where it may go are not among them; nor are claims that are to
// be migrated.
bool needsRestart(const kinds::VirtualMachineSpec& machine, const kinds::VirtualMachineInstanceSpec& instance);

// Whether they say otherwise where the guest may go.
bool differInPlacement(const kinds::VirtualMachineInstanceSpec& left, const kinds::VirtualMachineInstanceSpec& right);

// Readiness, the last failure, whether a restart is needed, and all that the instance says of itself.
// The instance may be null; `before` is the status on record.
void describeConditions(kinds::VirtualMachineStatus& status, const kinds::VirtualMachineStatus& before,
                        const kinds::VirtualMachineInstance* instance, bool restartNeeded, Timestamp now);

}  // namespace godwit::controllers::virtual_machine
