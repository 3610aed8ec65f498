#include "hypervisor/libvirt/accelerator.hpp"

#include <fcntl.h>

#include <fstream>
#include <sstream>

#include "base/descriptor.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

bool opens(const std::string& device) {
  return static_cast<bool>(Descriptor(open(device.c_str(), O_RDWR | O_CLOEXEC)));
}

bool virtualises(const std::string& cpuDescription) {
  std::ifstream file(cpuDescription);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("flags")) continue;
    std::istringstream flags(line);
    for (std::string flag; flags >> flag;)
      if (flag == "vmx" || flag == "svm") return true;
  }
  return false;
}

}  // namespace

std::string_view domainType(Accelerator accelerator) {
  switch (accelerator) {
    case Accelerator::Kvm:
      return "kvm";
    case Accelerator::Tcg:
      return "qemu";
  }
  __builtin_unreachable();
}

Accelerator chooseAccelerator(const MachineFiles& files) {
  return opens(files.kvmDevice) && virtualises(files.cpuDescription) ? Accelerator::Kvm : Accelerator::Tcg;
}

}  // namespace godwit::hypervisor::libvirt
