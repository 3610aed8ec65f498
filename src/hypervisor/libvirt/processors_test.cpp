#include "hypervisor/libvirt/processors.hpp"

#include <gtest/gtest.h>

namespace godwit::hypervisor::libvirt {
namespace {

constexpr const char* kCapabilities = R"(
<domainCapabilities>
  <cpu>
    <mode name='host-passthrough' supported='no'/>
    <mode name='host-model' supported='yes'>
      <model fallback='forbid'>EPYC</model>
      <vendor>AMD</vendor>
      <feature policy='require' name='acpi'/>
      <feature policy='disable' name='vme'/>
    </mode>
    <mode name='custom' supported='yes'>
      <model usable='yes' vendor='Intel'>Penryn</model>
      <model usable='no' vendor='Intel'>Haswell</model>
      <model usable='unknown' vendor='AMD'>EPYC</model>
    </mode>
  </cpu>
</domainCapabilities>)";

TEST(ProcessorsInCapabilities, AreTheHostsModelAndAllThatCanBeHadWhole) {
  EXPECT_EQ(readProcessors(kCapabilities).value(),
            (Processors{.vendor = "AMD", .hostModel = "EPYC", .hostFeatures = {"acpi"}, .models = {"Penryn"}}));
}

TEST(ProcessorsInCapabilities, AreUnknownWhereTheHostHasNoModel) {
  const char* none = "<domainCapabilities><cpu><mode name='host-model' supported='no'/></cpu></domainCapabilities>";
  EXPECT_EQ(readProcessors(none).error().code, Code::Unavailable);
  EXPECT_EQ(readProcessors("no document").error().code, Code::Internal);
}

TEST(ProcessorsInCapabilities, MakeAProcessorThatADomainCouldHave) {
  EXPECT_EQ(hostProcessorXml(kCapabilities).value(),
            "<cpu mode=\"custom\" match=\"exact\"><model fallback=\"forbid\">EPYC</model><vendor>AMD</vendor>"
            "<feature policy=\"require\" name=\"acpi\"/><feature policy=\"disable\" name=\"vme\"/></cpu>");
}

TEST(ProcessorOfADomain, HasTheFeaturesThatItRequires) {
  EXPECT_EQ(requiredFeatures(hostProcessorXml(kCapabilities).value()), std::set<std::string>{"acpi"});
}

}  // namespace
}  // namespace godwit::hypervisor::libvirt
