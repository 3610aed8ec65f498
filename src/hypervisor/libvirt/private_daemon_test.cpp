#include "hypervisor/libvirt/private_daemon.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "base/scratch_directory_test.hpp"

namespace godwit::hypervisor::libvirt {
namespace {

namespace fs = std::filesystem;

class PrivateDaemon : public testing::Test {
 protected:
  House house(const std::string& name) { return {.directory = directory_.file(name), .hostUuid = "u-" + name}; }

  static std::string contentOf(const std::string& path) {
    std::ostringstream content;
    content << std::ifstream(path).rdbuf();
    return content.str();
  }

  const ScratchDirectory directory_;
};

TEST_F(PrivateDaemon, HasItsOwnUuidAndNoTcp) {
  ASSERT_TRUE(prepareHouse(house("a")));
  const std::string conf = contentOf(house("a").directory + "/etc/libvirt/libvirtd.conf");
  EXPECT_NE(conf.find("host_uuid = \"u-a\""), std::string::npos);
  EXPECT_NE(conf.find("listen_tcp = 0"), std::string::npos);
}

TEST_F(PrivateDaemon, ListensToOtherMachinesOnlyWhereItIsTold) {
  ASSERT_TRUE(prepareHouse(house("a")));
  EXPECT_NE(contentOf(house("a").directory + "/etc/libvirt/libvirtd.conf").find("listen_tls = 0"), std::string::npos);
  EXPECT_EQ(contentOf(house("a").directory + "/etc/libvirt/qemu.conf").find("tls"), std::string::npos);
  House open = house("a");
  open.doorstep = Doorstep{.address = "10.77.0.2", .port = 1234, .certificates = "/papers"};

  ASSERT_TRUE(prepareHouse(open));

  const std::string conf = contentOf(open.directory + "/etc/libvirt/libvirtd.conf");
  EXPECT_NE(conf.find("listen_addr = \"10.77.0.2\"\ntls_port = \"1234\""), std::string::npos);
  EXPECT_NE(contentOf(open.directory + "/etc/libvirt/qemu.conf").find("migrate_tls_x509_cert_dir = \"/papers\""),
            std::string::npos);
  EXPECT_EQ(daemonCommand(open).back(), "--listen");
  EXPECT_EQ(uri(*open.doorstep), "qemu+tls://10.77.0.2:1234/system");
}

TEST_F(PrivateDaemon, CanBePreparedAgain) {
  ASSERT_TRUE(prepareHouse(house("a")));
  EXPECT_TRUE(prepareHouse(house("a")));
}

TEST_F(PrivateDaemon, LoadsOnlyTheDriversItNeeds) {
  ASSERT_TRUE(prepareHouse(house("a")));
  std::set<std::string> drivers;
  for (const auto& entry : fs::directory_iterator(house("a").directory + "/drivers"))
    drivers.insert(entry.path().filename());
  EXPECT_EQ(drivers,
            (std::set<std::string>{"libvirt_driver_qemu.so", "libvirt_driver_secret.so", "libvirt_driver_storage.so"}));
}

TEST_F(PrivateDaemon, BorrowsWhatANeighbourKnowsOfQemu) {
  ASSERT_TRUE(prepareHouse(house("a")));
  fs::create_directories(cacheDirectory(house("a")) + "/qemu/capabilities");
  std::ofstream(cacheDirectory(house("a")) + "/qemu/capabilities/x.xml") << "known";
  House b = house("b");
  b.warmCache = cacheDirectory(house("a"));

  ASSERT_TRUE(prepareHouse(b));

  EXPECT_EQ(contentOf(cacheDirectory(b) + "/qemu/capabilities/x.xml"), "known");
}

TEST_F(PrivateDaemon, MayBeItsOwnNeighbour) {
  House a = house("a");
  a.warmCache = cacheDirectory(a);
  fs::create_directories(cacheDirectory(a) + "/qemu/capabilities");
  std::ofstream(cacheDirectory(a) + "/qemu/capabilities/x.xml") << "known";
  EXPECT_TRUE(prepareHouse(a));
  EXPECT_TRUE(prepareHouse(a));
}

TEST_F(PrivateDaemon, OfAnOrdinaryUserIsToldWhereToGo) {
  House own = house("a");
  own.rootless = true;
  EXPECT_TRUE(uri(own).starts_with("qemu+unix:///session?socket=" + own.directory + "/run/libvirt/"));
  const auto environment = daemonEnvironment(own);
  EXPECT_NE(std::find(environment.begin(), environment.end(), "XDG_RUNTIME_DIR=" + own.directory + "/run"),
            environment.end());
}

TEST_F(PrivateDaemon, RefusesADirectoryTooLongForItsSockets) {
  const auto refused = prepareHouse(house(std::string(80, 'x')));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::Invalid);
  EXPECT_NE(refused.error().message.find("too long"), std::string::npos);
}

TEST_F(PrivateDaemon, RefusesARelativeDirectory) {
  EXPECT_EQ(prepareHouse({.directory = "nodes/a", .hostUuid = "u"}).error().code, Code::Invalid);
}

}  // namespace
}  // namespace godwit::hypervisor::libvirt
