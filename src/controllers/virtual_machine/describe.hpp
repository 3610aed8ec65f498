#pragma once

#include "kinds/virtual_machine.hpp"

namespace godwit::controllers::virtual_machine {

// Whether the machine runs with other than its template says, in fields that only a restart applies. Volumes
// that come and go, how the guest starts and stops, and where it may go are not among them; nor are claims that are to
// be migrated.
bool needsRestart(const kinds::VirtualMachineSpec& machine, const kinds::VirtualMachineInstanceSpec& instance);

// Whether they say otherwise where the guest may go.
bool differInPlacement(const kinds::VirtualMachineInstanceSpec& left, const kinds::VirtualMachineInstanceSpec& right);

// Volumes that are to change their claims under the guest and have not yet. Without an instance it is what is on
// record, in so far as the machine still asks for it: the next one is to find its data.
std::optional<kinds::VolumeUpdateState> volumeUpdateAfter(const kinds::VirtualMachine& machine,
                                                          const kinds::VirtualMachineInstance* instance);

// Why the changes that its spec has seen take a restart; empty if they do not.
std::string restartReason(const kinds::VirtualMachineSpec& machine, const kinds::VirtualMachineInstance& instance);

// Readiness, the last failure, why a restart is needed, and all that the instance says of itself.
// The instance may be null; `before` is the status on record.
void describeConditions(kinds::VirtualMachineStatus& status, const kinds::VirtualMachineStatus& before,
                        const kinds::VirtualMachineInstance* instance, const std::string& restartReason, Timestamp now);

}  // namespace godwit::controllers::virtual_machine
