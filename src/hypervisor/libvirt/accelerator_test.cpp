#include "hypervisor/libvirt/accelerator.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace godwit::hypervisor::libvirt {
namespace {

// A machine whose device opens and whose processor shows `flags`.
MachineFiles machineWith(const std::string& flags) {
  const std::string description = testing::TempDir() + "/cpuinfo";
  std::ofstream(description) << "processor : 0\nflags\t\t: fpu " << flags << " sse2\n";
  return {.kvmDevice = "/dev/null", .cpuDescription = description};
}

TEST(Accelerator, IsKvmWhereTheDeviceOpensAndTheProcessorVirtualises) {
  EXPECT_EQ(chooseAccelerator(machineWith("vmx")), Accelerator::Kvm);
  EXPECT_EQ(chooseAccelerator(machineWith("svm")), Accelerator::Kvm);
}

TEST(Accelerator, IsTcgWhereTheDeviceOpensButTheProcessorDoesNotVirtualise) {
  EXPECT_EQ(chooseAccelerator(machineWith("vmxlike")), Accelerator::Tcg);
}

TEST(Accelerator, IsTcgWhereThereIsNoDevice) {
  MachineFiles files = machineWith("vmx");
  files.kvmDevice = "/nonexistent/kvm";
  EXPECT_EQ(chooseAccelerator(files), Accelerator::Tcg);
}

}  // namespace
}  // namespace godwit::hypervisor::libvirt
