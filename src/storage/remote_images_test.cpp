#include "storage/remote_images.hpp"

#include <gtest/gtest.h>

#include "storage/disks.hpp"

namespace godwit::storage {
namespace {

using hypervisor::DiskSource;
using hypervisor::Protocol;

kinds::PersistentVolume onNfs(const std::string& server, const std::string& path) {
  kinds::PersistentVolume volume;
  volume.metadata.name = "pv001";
  volume.spec.nfs = kinds::NfsVolume{server, path};
  return volume;
}

kinds::PersistentVolume inCeph() {
  kinds::PersistentVolume volume;
  volume.metadata.name = "pv001";
  volume.spec.rbd = kinds::RbdVolume{{"mon-1:6789", "mon-2"}, "vms", "root", "admin", std::nullopt};
  return volume;
}

TEST(LocateOnNfs, FindsTheImageInTheDirectory) {
  EXPECT_EQ(locate(onNfs("nas", "/exports/vm")).value(),
            (DiskSource{.type = DiskSource::Type::Network,
                        .path = "/exports/vm/disk.img",
                        .remote = {.protocol = Protocol::Nfs, .hosts = {{"nas", 0}}}}));
}

TEST(LocateOnNfs, KnowsWhatTheImageIs) {
  auto volume = onNfs("nas", "/exports/vm");
  volume.metadata.annotations["godwit.io/format"] = "qcow2";
  EXPECT_EQ(locate(volume).value().format, "qcow2");
  volume.spec.volumeMode = kinds::kVolumeModeBlock;
  EXPECT_EQ(locate(volume).error().code, Code::Invalid);
}

TEST(LocateOnNfs, RefusesAServerThatIsNone) {
  EXPECT_EQ(locate(onNfs("na s", "/")).error().message, "volume pv001 has the server 'na s', which is no name");
}

TEST(LocateOnNfs, RefusesAPathThatLeadsElsewhere) {
  EXPECT_EQ(locate(onNfs("nas", "/exports/../etc")).error().message,
            "volume pv001 has the path /exports/../etc, which is not a plain absolute one");
}

TEST(LocateInCeph, FindsTheImageAtItsMonitors) {
  EXPECT_EQ(locate(inCeph()).value(),
            (DiskSource{.type = DiskSource::Type::Network,
                        .path = "vms/root",
                        .remote = {.protocol = Protocol::Rbd, .hosts = {{"mon-1", 6789}, {"mon-2", 0}}}}));
}

TEST(LocateInCeph, HasNoImagesOfAnotherFormat) {
  auto volume = inCeph();
  volume.metadata.annotations["godwit.io/format"] = "qcow2";
  EXPECT_EQ(locate(volume).error().code, Code::Invalid);
}

TEST(LocateInCeph, RefusesNamesThatAreNone) {
  auto volume = inCeph();
  volume.spec.rbd->image = "root@snapshot";
  EXPECT_EQ(locate(volume).error().message, "volume pv001 is in 'vms/root@snapshot', which is no name");
  volume = inCeph();
  volume.spec.rbd->monitors = {"mon:x"};
  EXPECT_EQ(locate(volume).error().message, "volume pv001 has the monitor 'mon:x', which is not host:port");
  volume.spec.rbd->monitors.clear();
  EXPECT_EQ(locate(volume).error().message, "volume pv001 names no monitor");
}

}  // namespace
}  // namespace godwit::storage
