#include "node/registration.hpp"

#include <gtest/gtest.h>

#include "kinds/words.hpp"

namespace godwit::node {
namespace {

namespace words = kinds::words;

const Timestamp kNow = Timestamp(std::chrono::seconds(1'800'000'000));

NodeProfile profile() {
  return {.name = "a",
          .hypervisorUri = "qemu:///system",
          .consoleDirectory = "/consoles",
          .socketDirectory = "/sockets",
          .volumeDirectory = "/volumes",
          .addresses = {"10.0.0.7", "192.168.1.7"},
          .bootId = "boot",
          .port = 10250,
          .servingCertificate = "PEM",
          .memoryBytes = 4LL << 30,
          .cpus = 8,
          .processors = hypervisor::Processors{.vendor = "AMD",
                                               .hostModel = "EPYC",
                                               .hostFeatures = {"acpi"},
                                               .models = {"Penryn", "qemu64"},
                                               .features = {"acpi", "sse4.2"}}};
}

TEST(NodeProfileOnItsNode, SaysWhatTheNodeIsAndHas) {
  const kinds::Node node = withProfile({}, profile(), kNow);
  EXPECT_EQ(node.metadata.labels.at(std::string(words::kHostname)), "a");
  EXPECT_EQ(node.metadata.annotations.at(std::string(words::kHypervisorUri)), "qemu:///system");
  EXPECT_EQ(node.metadata.annotations.at(std::string(words::kVolumeDirectory)), "/volumes");
  EXPECT_EQ(node.metadata.annotations.at(std::string(words::kServingCertificate)), "PEM");
  EXPECT_EQ(node.status.addresses.front(), (kinds::NodeAddress{"InternalIP", "10.0.0.7"}));
  EXPECT_EQ(node.status.addresses.at(1), (kinds::NodeAddress{"InternalIP", "192.168.1.7"}));
  EXPECT_EQ(node.status.nodeInfo.bootID, "boot");
  EXPECT_EQ(node.status.daemonEndpoints.kubeletEndpoint.port, 10250);
  EXPECT_EQ(node.spec.taints, (std::vector<kinds::Taint>{{"godwit.io/hypervisor", "true", "NoSchedule"}}));
  EXPECT_EQ(node.status.allocatable,
            (std::map<std::string, std::string>{{"cpu", "8"}, {"memory", "4Gi"}, {"pods", "110"}}));
  EXPECT_TRUE(kinds::isTrue(node.status.conditions, "Ready"));
}

TEST(NodeProfileOnItsNode, SaysHowOtherMachinesReachItOnlyWhileTheyDo) {
  auto open = profile();
  open.transportUri = "qemu+tls://10.0.0.7:16514/system";
  open.socketDirectory = "";
  const kinds::Node node = withProfile(withProfile({}, profile(), kNow), open, kNow);
  EXPECT_EQ(node.metadata.annotations.at(std::string(words::kTransportUri)), open.transportUri);
  EXPECT_FALSE(node.metadata.annotations.contains(std::string(words::kSocketDirectory)));
  EXPECT_EQ(withProfile(node, profile(), kNow), withProfile({}, profile(), kNow));
}

TEST(NodeProfileOnItsNode, SaysInLabelsWhatGuestsCanHaveForAProcessor) {
  auto labels = withProfile({}, profile(), kNow).metadata.labels;
  std::erase_if(labels, [](const auto& label) { return label.first.find("node.kubevirt.io/") == std::string::npos; });
  EXPECT_EQ(labels, (object::Labels{{"cpu-vendor.node.kubevirt.io/AMD", "true"},
                                    {"cpu-model.node.kubevirt.io/Penryn", "true"},
                                    {"cpu-model-migration.node.kubevirt.io/EPYC", "true"},
                                    {"cpu-model-migration.node.kubevirt.io/Penryn", "true"},
                                    {"cpu-feature.node.kubevirt.io/acpi", "true"},
                                    {"cpu-feature.node.kubevirt.io/sse4.2", "true"},
                                    {"host-model-cpu.node.kubevirt.io/EPYC", "true"},
                                    {"host-model-required-features.node.kubevirt.io/acpi", "true"}}));
}

TEST(NodeProfileOnItsNode, TakesBackWhatNoLongerHolds) {
  auto better = profile();
  better.processors->models.insert("Haswell");
  better.processors->inHardware = true;
  kinds::Node node = withProfile({}, better, kNow);
  ASSERT_TRUE(node.metadata.labels.contains("cpu-model.node.kubevirt.io/Haswell"));
  ASSERT_EQ(node.status.allocatable.at("devices.kubevirt.io/kvm"), "1k");

  auto ignorant = profile();
  ignorant.processors.reset();
  EXPECT_EQ(withProfile(node, ignorant, kNow), node);

  EXPECT_EQ(withProfile(node, profile(), kNow), withProfile({}, profile(), kNow));
}

TEST(NodeProfileOnItsNode, LeavesWhatOthersHaveSet) {
  kinds::Node node;
  node.metadata.labels["zone"] = "north";
  node.metadata.labels["cpu.example.com/Penryn"] = "good";
  node.metadata.annotations["note"] = "kept";
  node.spec.unschedulable = true;
  node.spec.taints = {{"maintenance", "", "NoExecute"}};
  node.status.conditions = {{"DiskPressure", "False", "", "", std::nullopt}};

  const kinds::Node after = withProfile(node, profile(), kNow);

  EXPECT_EQ(after.metadata.labels.at("zone"), "north");
  EXPECT_EQ(after.metadata.labels.at("cpu.example.com/Penryn"), "good");
  EXPECT_EQ(after.metadata.annotations.at("note"), "kept");
  EXPECT_TRUE(after.spec.unschedulable);
  EXPECT_EQ(after.spec.taints.front().key, "maintenance");
  EXPECT_NE(kinds::findCondition(after.status.conditions, "DiskPressure"), nullptr);
}

TEST(NodeProfileOnItsNode, ChangesNothingTheSecondTime) {
  const kinds::Node once = withProfile({}, profile(), kNow);
  EXPECT_EQ(withProfile(once, profile(), kNow + std::chrono::hours(1)), once);
}

}  // namespace
}  // namespace godwit::node
