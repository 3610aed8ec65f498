#include "storage/iscsi.hpp"

#include <gtest/gtest.h>

#include "storage/disks.hpp"

namespace godwit::storage {
namespace {

using hypervisor::DiskSource;

kinds::PersistentVolume healthy() {
  kinds::PersistentVolume volume;
  volume.metadata.name = "pv001";
  volume.spec.iscsi = kinds::IscsiVolume{"example.com:3261", "iqn.2013-07.com.example:iscsi-nopool", 2, "", false, {}};
  return volume;
}

std::string problemOf(const kinds::PersistentVolume& volume) {
  const auto source = locate(volume);
  return source ? "" : source.error().message;
}

TEST(LocateLun, FindsItAtItsPortal) {
  auto volume = healthy();
  volume.spec.iscsi->initiatorName = "iqn.2026-01.here:one";
  EXPECT_EQ(locate(volume).value(),
            (DiskSource{.type = DiskSource::Type::Network,
                        .path = "iqn.2013-07.com.example:iscsi-nopool/2",
                        .remote = {.hosts = {{"example.com", 3261}}, .initiator = "iqn.2026-01.here:one"}}));
}

TEST(LocateLun, TakesTheUsualPortIfNoneIsSaid) {
  auto volume = healthy();
  volume.spec.iscsi->targetPortal = "10.0.0.1";
  EXPECT_EQ(locate(volume)->remote.hosts, (std::vector<hypervisor::Host>{{"10.0.0.1", 3260}}));
}

TEST(LocateLun, TakesAnAddressInBrackets) {
  auto volume = healthy();
  volume.spec.iscsi->targetPortal = "[fe80::1]:3262";
  EXPECT_EQ(locate(volume)->remote.hosts, (std::vector<hypervisor::Host>{{"fe80::1", 3262}}));
}

TEST(LocateLun, TakesAnIqnWithTheSlashBeforeTheLun) {
  auto volume = healthy();
  volume.spec.iscsi->iqn += "/";
  EXPECT_EQ(locate(volume)->path, "iqn.2013-07.com.example:iscsi-nopool/2");
}

TEST(LocateLun, HasNoImageOfAnyFormat) {
  auto volume = healthy();
  volume.metadata.annotations["godwit.io/format"] = "qcow2";
  EXPECT_EQ(problemOf(volume),
            "volume pv001 has the annotation godwit.io/format 'qcow2'; it may be raw, or qcow2 where the volume is a "
            "directory, here or on NFS, of mode Filesystem");
}

TEST(LocateLun, RefusesAPortalThatIsNone) {
  for (const char* portal : {"", ":3260", "host:", "host:0", "host:65536", "host:3260x", "a:b:c", "[::1", "[::1]3260",
                             "ho st", "h'><x:3260"}) {
    auto volume = healthy();
    volume.spec.iscsi->targetPortal = portal;
    EXPECT_EQ(problemOf(volume), std::string("volume pv001 has the portal '") + portal + "', which is not host:port");
  }
}

TEST(LocateLun, RefusesAnIqnThatIsNone) {
  for (const char* iqn : {"", "/", "iqn.x/1", "iqn.x'><"}) {
    auto volume = healthy();
    volume.spec.iscsi->iqn = iqn;
    EXPECT_EQ(problemOf(volume), std::string("volume pv001 has the IQN '") + iqn + "', which is no name");
  }
}

TEST(LocateLun, RefusesALunOutOfRange) {
  auto volume = healthy();
  volume.spec.iscsi->lun = -1;
  EXPECT_EQ(problemOf(volume), "volume pv001 has the LUN -1, which is not from 0 to 255");
  volume.spec.iscsi->lun = 256;
  EXPECT_EQ(problemOf(volume), "volume pv001 has the LUN 256, which is not from 0 to 255");
}

}  // namespace
}  // namespace godwit::storage
