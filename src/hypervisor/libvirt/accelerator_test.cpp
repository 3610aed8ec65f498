#include "hypervisor/libvirt/accelerator.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/scratch_directory_test.hpp"

namespace godwit::hypervisor::libvirt {
namespace {

class Accelerators : public testing::Test {
 protected:
  // A machine whose device opens and whose processor shows `flags`.
  MachineFiles machineWith(const std::string& flags) const {
    const std::string description = directory_.file("cpuinfo");
    std::ofstream(description) << "processor : 0\nflags\t\t: fpu " << flags << " sse2\n";
    return {.kvmDevice = "/dev/null", .cpuDescription = description};
  }

 private:
  const ScratchDirectory directory_;
};

TEST_F(Accelerators, IsKvmWhereTheDeviceOpensAndTheProcessorVirtualises) {
  EXPECT_EQ(chooseAccelerator(machineWith("vmx")), Accelerator::Kvm);
  EXPECT_EQ(chooseAccelerator(machineWith("svm")), Accelerator::Kvm);
}

TEST_F(Accelerators, IsTcgWhereTheDeviceOpensButTheProcessorDoesNotVirtualise) {
  EXPECT_EQ(chooseAccelerator(machineWith("vmxlike")), Accelerator::Tcg);
}

TEST_F(Accelerators, IsTcgWhereThereIsNoDevice) {
  MachineFiles files = machineWith("vmx");
  files.kvmDevice = "/nonexistent/kvm";
  EXPECT_EQ(chooseAccelerator(files), Accelerator::Tcg);
}

}  // namespace
}  // namespace godwit::hypervisor::libvirt
