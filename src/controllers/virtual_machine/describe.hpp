#pragma once

#include "kinds/virtual_machine.hpp"

namespace godwit::controllers::virtual_machine {

// Whether the machine runs with other than its template says, in fields that only a restart applies. Volumes
// that come and go, how the guest starts and stops, and where it may go are not among them; nor are claims that are to
// be migrated.
bool needsRestart(const kinds::VirtualMachineSpec& machine, const kinds::VirtualMachineInstanceSpec& instance);

// Whether they say otherwise where the guest may go.
bool differInPlacement(const kinds::VirtualMachineInstanceSpec& left, const kinds::VirtualMachineInstanceSpec& right);

// The claims to have on record as those that hold the guest's data: what the instance uses, and without one, what the
// last one did. Whoever edits a machine that is `off`, and has nothing on its way, exchanges its disks.
std::vector<kinds::VolumeInUse> volumesAfter(const kinds::VirtualMachine& machine,
                                             const kinds::VirtualMachineInstance* instance, bool off);

// Volumes that are to change their claims under the guest and have not yet.
std::optional<kinds::VolumeUpdateState> volumeUpdateAfter(const kinds::VirtualMachine& machine,
                                                          const kinds::VirtualMachineInstance* instance);

// Why the changes that its spec has seen take a restart; empty if they do not.
std::string restartReason(const kinds::VirtualMachineSpec& machine, const kinds::VirtualMachineInstance& instance);

// Why a machine needs people; empty where it does not.
struct Wants {
  std::string restart = {};   // for changes of its spec
  std::string recovery = {};  // it cannot be known where its data is
};

// Readiness, the last failure, what needs people, and all that the instance says of itself.
// The instance may be null; `before` is the status on record.
void describeConditions(kinds::VirtualMachineStatus& status, const kinds::VirtualMachineStatus& before,
                        const kinds::VirtualMachineInstance* instance, const Wants& wants, Timestamp now);

}  // namespace godwit::controllers::virtual_machine
