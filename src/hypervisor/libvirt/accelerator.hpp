#pragma once

#include <string>
#include <string_view>

namespace godwit::hypervisor::libvirt {

// What runs a guest's instructions.
enum class Accelerator { Kvm, Tcg };

// libvirt's word for it, in a domain's `type`.
std::string_view domainType(Accelerator accelerator);

struct MachineFiles {
  std::string kvmDevice = "/dev/kvm";
  std::string cpuDescription = "/proc/cpuinfo";
};

// Kvm when its device opens and the processor can virtualise; a device alone proves nothing,
// for there are machines on which it opens and then cannot run a guest.
Accelerator chooseAccelerator(const MachineFiles& files = {});

}  // namespace godwit::hypervisor::libvirt
