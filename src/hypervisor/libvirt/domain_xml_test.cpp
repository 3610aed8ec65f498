#include "hypervisor/libvirt/domain_xml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace godwit::hypervisor::libvirt {
namespace {

using testing::HasSubstr;
using testing::Not;

DomainSpec spec() {
  return {
      .name = "db-1",
      .uuid = "6a1a3f6e-0d0c-4a55-9f6e-3a5d7a5f1c11",
      .owner = "vms/db-1",
      .memoryBytes = 16 << 20,
      .vcpus = 2,
      .disks = {{.target = "vda", .serial = "root", .source = {.path = "/disks/a.img"}},
                {.target = "vdb", .source = {.type = DiskSource::Type::Block, .path = "/dev/vg/b", .format = "raw"}}},
      .consoleFile = "/logs/db-1.log"};
}

// As libvirt shows a domain while one disk is mirrored.
constexpr const char* kLive = R"(<domain type='qemu' id='3'><name>db-1</name><uuid>u</uuid>
 <metadata><godwit:domain xmlns:godwit="https://godwit.dev/1"><godwit:owner>vms/db-1</godwit:owner></godwit:domain></metadata>
 <devices>
  <disk type='file' device='disk'><driver name='qemu' type='raw' cache='none'/>
   <source file='/disks/a.img' index='1'><slices><slice type='storage' offset='0' size='512'/></slices></source><backingStore/>
   <mirror type='file' file='/disks/b.img' format='raw' job='copy' ready='yes'>
    <format type='raw'/><source file='/disks/b.img' index='2'/></mirror>
   <target dev='vda' bus='virtio'/></disk>
  <serial type='file'><source path='/logs/db-1.log' append='on'/><target port='0'/></serial>
  <console type='file'><source path='/logs/db-1.log' append='on'/><target type='serial' port='0'/></console>
 </devices></domain>)";

DiskSource lun() {
  return {.type = DiskSource::Type::Network,
          .path = "iqn.2013-07.com.example:iscsi-nopool/2",
          .remote = {.hosts = {{"example.com", 3260}}}};
}

TEST(DomainXml, ReadsBackWhatItWrites) {
  const auto state = readDomainXml(domainXml(spec(), {})).value();

  EXPECT_EQ(state.name, "db-1");
  EXPECT_EQ(state.uuid, spec().uuid);
  EXPECT_EQ(state.owner, "vms/db-1");
  ASSERT_EQ(state.disks.size(), 2u);
  EXPECT_EQ(state.disks[0].source, spec().disks[0].source);
  EXPECT_EQ(state.disks[1].source, spec().disks[1].source);
}

TEST(DomainXml, KeepsMarkupInNamesAsText) {
  DomainSpec odd = spec();
  odd.owner = "<a & 'b'>";
  EXPECT_EQ(readDomainXml(domainXml(odd, {}))->owner, "<a & 'b'>");
}

TEST(DomainXml, NamesTheAccelerator) {
  EXPECT_THAT(domainXml(spec(), {.accelerator = Accelerator::Tcg}), HasSubstr("<domain type=\"qemu\">"));
  EXPECT_THAT(domainXml(spec(), {.accelerator = Accelerator::Kvm}), HasSubstr("<domain type=\"kvm\">"));
}

TEST(DomainXml, KeepsDisksThinAndUncached) {
  EXPECT_THAT(domainXml(spec(), {}), HasSubstr("cache=\"none\" discard=\"unmap\" detect_zeroes=\"unmap\""));
}

TEST(DomainXml, AppendsToTheConsoleFile) {
  EXPECT_THAT(domainXml(spec(), {}), HasSubstr("<source path=\"/logs/db-1.log\" append=\"on\""));
}

TEST(DomainXml, LetsQemuReachALunItself) {
  DomainSpec remote = spec();
  remote.disks = {{.target = "vdb", .source = lun()}};

  const std::string xml = domainXml(remote, {});

  EXPECT_THAT(xml, HasSubstr("<disk device=\"disk\" type=\"network\"><driver name=\"qemu\" type=\"raw\""));
  EXPECT_THAT(xml, HasSubstr("<source protocol=\"iscsi\" name=\"iqn.2013-07.com.example:iscsi-nopool/2\">"
                             "<host name=\"example.com\" port=\"3260\"/></source>"
                             "<target dev=\"vdb\" bus=\"virtio\"/>"));
  EXPECT_EQ(readDomainXml(xml)->disks.at(0).source, lun());
}

TEST(DomainXml, GoesToALunByTheNameAskedFor) {
  DomainSpec remote = spec();
  remote.disks = {{.target = "vda", .source = lun()}};
  remote.disks[0].source.remote.initiator = "iqn.2026-01.here:one";

  const std::string xml = domainXml(remote, {});

  EXPECT_THAT(xml, HasSubstr("<initiator><iqn name=\"iqn.2026-01.here:one\"/></initiator>"));
  EXPECT_EQ(readDomainXml(xml)->disks.at(0).source, remote.disks[0].source);
}

TEST(DomainXml, LogsInWithASecretThatItOnlyNames) {
  DomainSpec remote = spec();
  remote.disks = {{.target = "vda", .source = lun()}};
  remote.disks[0].source.remote.login = {"godwit", "default/chap"};

  const std::string xml = domainXml(remote, {});

  EXPECT_THAT(xml, HasSubstr("<auth username=\"godwit\"><secret type=\"iscsi\" usage=\"default/chap\"/></auth>"));
  EXPECT_EQ(readDomainXml(xml)->disks.at(0).source, remote.disks[0].source);
}

TEST(DomainXml, LetsQemuReachAnImageOnNfsItself) {
  DomainSpec remote = spec();
  remote.disks = {{.target = "vda",
                   .source = {.type = DiskSource::Type::Network,
                              .path = "/exports/vm/disk.img",
                              .format = "qcow2",
                              .remote = {.protocol = Protocol::Nfs, .hosts = {{"nas.example.com", 0}}}}}};

  const std::string xml = domainXml(remote, {});

  EXPECT_THAT(xml, HasSubstr("<driver name=\"qemu\" type=\"qcow2\""));
  EXPECT_THAT(xml, HasSubstr("<source protocol=\"nfs\" name=\"/exports/vm/disk.img\">"
                             "<host name=\"nas.example.com\"/></source>"));
  EXPECT_EQ(readDomainXml(xml)->disks.at(0).source, remote.disks[0].source);
}

TEST(DomainXml, LetsQemuReachACephImageItself) {
  DomainSpec remote = spec();
  remote.disks = {{.target = "vda",
                   .source = {.type = DiskSource::Type::Network,
                              .path = "vms/root",
                              .remote = {.protocol = Protocol::Rbd,
                                         .hosts = {{"mon-1", 6789}, {"mon-2", 0}},
                                         .login = Login{"admin", "default/ceph"}}}}};

  const std::string xml = domainXml(remote, {});

  EXPECT_THAT(xml, HasSubstr("<source protocol=\"rbd\" name=\"vms/root\"><host name=\"mon-1\" port=\"6789\"/>"
                             "<host name=\"mon-2\"/><auth username=\"admin\">"
                             "<secret type=\"ceph\" usage=\"default/ceph\"/></auth></source>"));
  EXPECT_EQ(readDomainXml(xml)->disks.at(0).source, remote.disks[0].source);
}

TEST(DomainXml, KeepsMarkupInTheNameOfALunAsText) {
  DomainSpec odd = spec();
  odd.disks = {{.target = "vda", .source = lun()}};
  odd.disks[0].source.path = "iqn'\"><disk type='file'/>/0";
  odd.disks[0].source.remote.hosts[0].name = "h'\"><evil/>";

  const auto state = readDomainXml(domainXml(odd, {})).value();

  ASSERT_EQ(state.disks.size(), 1u);
  EXPECT_EQ(state.disks[0].source, odd.disks[0].source);
}

TEST(DomainXml, HasAScsiControllerOfTodayForDisksThatMayCome) {
  EXPECT_THAT(domainXml(spec(), {}), HasSubstr("<controller type=\"scsi\" model=\"virtio-scsi\"/>"));
}

TEST(DomainXml, GivesADiskThatComesLaterNoPlaceInTheBootOrder) {
  const std::string xml = diskXml({.target = "sda", .bus = "scsi", .serial = "more", .source = {.path = "/more.img"}});
  EXPECT_THAT(xml, HasSubstr("<source file=\"/more.img\"/>"));
  EXPECT_THAT(xml, HasSubstr("<target dev=\"sda\" bus=\"scsi\"/>"));
  EXPECT_THAT(xml, Not(HasSubstr("boot")));
}

TEST(DomainXml, FindsTheNameOfADisk) {
  const std::string disk =
      R"(<disk><target dev="vda"/><alias name="virtio-disk0"/></disk><disk><target dev="vdb"/></disk>)";
  const std::string xml = "<domain><devices>" + disk + "</devices></domain>";
  EXPECT_EQ(aliasIn(xml, "vda").value(), "virtio-disk0");
  for (const char* nameless : {"vdb", "vdc"}) EXPECT_EQ(aliasIn(xml, nameless).error().code, Code::NotFound);
}

TEST(DomainXml, FindsTheDiskToTakeAway) {
  const std::string target = readDomainXml(kLive)->disks.at(0).target;
  const auto disk = diskIn(kLive, target);
  ASSERT_TRUE(disk);
  EXPECT_THAT(*disk, testing::StartsWith("<disk"));
  EXPECT_THAT(*disk, HasSubstr("dev=\"" + target + "\""));
  EXPECT_EQ(diskIn(kLive, "sdz").error().code, Code::NotFound);
}

TEST(DomainXml, SeesAReadyMirror) {
  const auto mirror = readDomainXml(kLive)->disks.at(0).mirror;
  ASSERT_TRUE(mirror);
  EXPECT_TRUE(mirror->ready);
  EXPECT_EQ(mirror->destination, (DiskSource{.path = "/disks/b.img"}));
}

TEST(DomainXml, DoesNotCallAMirrorReadyThatIsBeingTakenDown) {
  std::string xml = kLive;
  xml.replace(xml.find("ready='yes'"), std::string("ready='yes'").size(), "ready='pivot'");
  EXPECT_FALSE(readDomainXml(xml)->disks.at(0).mirror->ready);
}

TEST(DomainXml, RefusesWhatIsNoDomain) {
  EXPECT_EQ(readDomainXml("<pool/>").error().code, Code::Internal);
  EXPECT_EQ(readDomainXml("<domain>").error().code, Code::Internal);
}

TEST(RelocatedDomainXml, MovesTheDiskAndTheConsoleAndNothingElse) {
  const DiskSource elsewhere{.type = DiskSource::Type::Block, .path = "/dev/vg/c", .format = "qcow2"};

  const auto xml = relocated(kLive, {.disks = {{"vda", elsewhere}}, .consoleFile = "/other/db-1.log"}).value();

  EXPECT_EQ(readDomainXml(xml)->disks.at(0).source, elsewhere);
  EXPECT_EQ(readDomainXml(xml)->owner, "vms/db-1");
  EXPECT_THAT(xml, Not(HasSubstr("/logs/db-1.log")));
  EXPECT_THAT(xml, Not(HasSubstr("slice")));
  EXPECT_THAT(xml, HasSubstr("cache=\"none\""));
}

TEST(RelocatedDomainXml, MovesADiskToALunAndBack) {
  const auto there = relocated(kLive, {.disks = {{"vda", lun()}}, .consoleFile = ""}).value();
  EXPECT_EQ(readDomainXml(there)->disks.at(0).source, lun());

  const DiskSource file{.path = "/disks/a.img"};
  const auto back = relocated(there, {.disks = {{"vda", file}}, .consoleFile = ""}).value();

  EXPECT_EQ(readDomainXml(back)->disks.at(0).source, file);
  EXPECT_THAT(back, Not(HasSubstr("iscsi")));
}

TEST(RelocatedDomainXml, RefusesADiskThatIsNotThere) {
  EXPECT_EQ(relocated(kLive, {.disks = {{"vdz", {}}}, .consoleFile = ""}).error().code, Code::NotFound);
}

TEST(RecordOfADomain, SaysWhoItIsAndWhereItsDisksAreAndNoMore) {
  const std::string record = recordOf(kLive).value();
  const DomainState live = readDomainXml(kLive).value(), recorded = readDomainXml(record).value();
  EXPECT_EQ(recorded.name, live.name);
  EXPECT_EQ(recorded.uuid, live.uuid);
  EXPECT_EQ(recorded.memoryBytes, live.memoryBytes);
  ASSERT_EQ(recorded.disks.size(), live.disks.size());
  EXPECT_EQ(recorded.disks.at(0).source, live.disks.at(0).source);
  EXPECT_THAT(record, Not(HasSubstr("serial")));
  EXPECT_EQ(recordOf("<pool/>").error().code, Code::Internal);
}

TEST(CopyTargetXml, NamesTheDestinationAndItsFormat) {
  const std::string xml = copyTargetXml({.path = "/disks/b.img", .format = "qcow2"});
  EXPECT_THAT(xml, HasSubstr("type=\"qcow2\""));
  EXPECT_THAT(xml, HasSubstr("<source file=\"/disks/b.img\""));
}

}  // namespace
}  // namespace godwit::hypervisor::libvirt
