#include "hypervisor/libvirt/mending.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <pugixml.hpp>

namespace godwit::hypervisor::libvirt {
namespace {

// As a daemon leaves it: vda has moved from node 1 to node 5, vdb is being copied from node 2 to node 6.
constexpr const char* kRecord = R"(<domstatus state='running'>
  <monitor path='/var/lib/libvirt/qemu/domain-1-guest/monitor.sock' type='unix'/>
  <blockjobs active='yes'>
    <blockjob name='copy-vdb' type='copy' state='ready'><disk dst='vdb' mirror='yes'/></blockjob>
  </blockjobs>
  <domain type='qemu' id='1'>
    <devices>
      <disk type='file' device='disk'>
        <driver name='qemu' type='raw'/>
        <source file='/new/vda' index='5'><privateData><nodenames>
          <nodename type='storage' name='node-5-storage'/><nodename type='format' name='node-5'/>
        </nodenames></privateData></source>
        <target dev='vda' bus='virtio'/>
        <privateData><qom name='/machine/vda'/></privateData>
      </disk>
      <disk type='file' device='disk'>
        <driver name='qemu' type='qcow2'/>
        <source file='/old/vdb' index='2'><privateData><nodenames>
          <nodename type='storage' name='node-2-storage'/><nodename type='format' name='node-2'/>
        </nodenames></privateData></source>
        <mirror type='block' job='copy' ready='yes'>
          <format type='raw'/>
          <source dev='/new/vdb' index='6'><privateData><nodenames>
            <nodename type='storage' name='node-6-storage'/><nodename type='format' name='node-6'/>
          </nodenames></privateData></source>
        </mirror>
        <target dev='vdb' bus='virtio'/>
        <privateData><qom name='/machine/vdb'/></privateData>
      </disk>
    </devices>
  </domain>
</domstatus>)";

using Nodes = std::vector<std::string>;

// QEMU as the record says; each test bends one thing.
BlockGraph healthy() {
  return {.nodes = {{"/machine/vda", "node-5"}, {"/machine/vdb", "node-2"}}, .jobs = {"copy-vdb"}};
}

// The second disk in one line: type, format, where it is, whether it is being copied, and whether that is on record.
std::string secondDisk(const std::string& record) {
  pugi::xml_document document;
  document.load_string(record.c_str());
  const pugi::xml_node status = document.child("domstatus");
  const pugi::xml_node disk = status.child("domain").child("devices").last_child();
  const pugi::xml_node source = disk.child("source");
  return fmt::format("{} {} {}{}{} jobs:{}", disk.attribute("type").value(),
                     disk.child("driver").attribute("type").value(), source.attribute("file").value(),
                     source.attribute("dev").value(), disk.child("mirror") ? " copied" : "",
                     status.child("blockjobs").attribute("active").value());
}

TEST(MendRecord, LeavesACopyAloneThatGoesOn) {
  EXPECT_TRUE(speaksOfCopies(kRecord));
  EXPECT_FALSE(mend(kRecord, healthy()));
}

TEST(MendRecord, FinishesAPivotThatTheDaemonHadNoTimeToNote) {
  auto graph = healthy();
  graph.nodes["/machine/vdb"] = "node-6";
  const auto mending = mend(kRecord, graph);
  ASSERT_TRUE(mending);
  EXPECT_EQ(secondDisk(mending->record), "block raw /new/vdb jobs:no");
  EXPECT_EQ(mending->jobs, Nodes{"copy-vdb"});
  EXPECT_EQ(mending->nodes, (Nodes{"node-2", "node-2-storage"}));
  EXPECT_FALSE(speaksOfCopies(mending->record));
}

TEST(MendRecord, FinishesAPivotThatQemuWasToldToForget) {
  auto graph = healthy();
  graph.nodes["/machine/vdb"] = "node-6";
  graph.jobs.clear();
  const auto mending = mend(kRecord, graph);
  ASSERT_TRUE(mending);
  EXPECT_EQ(secondDisk(mending->record), "block raw /new/vdb jobs:no");
  EXPECT_EQ(mending->jobs, Nodes{});
}

TEST(MendRecord, ForgetsACopyThatEndedWithoutAPivot) {
  auto graph = healthy();
  graph.jobs.clear();
  const auto mending = mend(kRecord, graph);
  ASSERT_TRUE(mending);
  EXPECT_EQ(secondDisk(mending->record), "file qcow2 /old/vdb jobs:no");
  EXPECT_EQ(mending->nodes, (Nodes{"node-6", "node-6-storage"}));
}

TEST(MendRecord, LeavesAloneWhatItDoesNotUnderstand) {
  auto graph = healthy();
  graph.nodes["/machine/vdb"] = "node-7";
  graph.jobs.clear();
  EXPECT_FALSE(mend(kRecord, graph));
  EXPECT_FALSE(mend(kRecord, {}));
  EXPECT_FALSE(mend("<domstatus", healthy()));
}

}  // namespace
}  // namespace godwit::hypervisor::libvirt
