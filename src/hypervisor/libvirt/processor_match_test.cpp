#include "hypervisor/libvirt/processor_match.hpp"

#include <gtest/gtest.h>

namespace godwit::hypervisor::libvirt {
namespace {

using Features = std::vector<std::string>;

TEST(Processor, IsTakenFromTheDocumentOfADomain) {
  EXPECT_EQ(processorIn(R"(<domain type="qemu"><os><type arch="x86_64" machine="pc">hvm</type></os>)"
                        R"(<cpu mode="custom"><model>qemu64</model></cpu><devices/></domain>)"),
            R"(<processor virttype="qemu" arch="x86_64"><cpu mode="custom"><model>qemu64</model></cpu></processor>)");
}

TEST(Processor, LacksWhatLibvirtLists) {
  EXPECT_EQ(
      featuresIn("the CPU is incompatible with host CPU: Host CPU does not provide required features: vmx, avx512f"),
      (Features{"vmx", "avx512f"}));
  EXPECT_EQ(featuresIn("the CPU is incompatible with host CPU: vendor"),
            Features{"the CPU is incompatible with host CPU: vendor"});
}

}  // namespace
}  // namespace godwit::hypervisor::libvirt
