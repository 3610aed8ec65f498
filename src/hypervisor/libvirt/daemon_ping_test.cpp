#include "hypervisor/libvirt/daemon_ping.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstring>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "base/descriptor.hpp"
#include "base/scratch_directory_test.hpp"

namespace godwit::hypervisor::libvirt {
namespace {

using namespace std::chrono_literals;

// A socket that takes connections and, by itself, never says a word.
Descriptor listenAt(const std::string& path) {
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  EXPECT_EQ(bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(listen(socket.number(), 1), 0);
  return socket;
}

TEST(DaemonPing, GivesUpOnADaemonThatTakesConnectionsAndIsSilent) {
  const ScratchDirectory directory;
  const std::string path = directory.file("silent.sock");
  const Descriptor daemon = listenAt(path);
  EXPECT_EQ(ping(path, 10ms).error().code, Code::Timeout);
}

TEST(DaemonPing, IsContentWithAnyAnswer) {
  const ScratchDirectory directory;
  const std::string path = directory.file("talking.sock");
  const Descriptor daemon = listenAt(path);
  const std::jthread answering([&] {
    const Descriptor caller(accept(daemon.number(), nullptr, nullptr));
    char asked[28];
    const auto size = recv(caller.number(), asked, sizeof asked, MSG_WAITALL);
    EXPECT_EQ(send(caller.number(), asked, sizeof asked, MSG_NOSIGNAL), size);
  });
  EXPECT_TRUE(ping(path, 10s));
}

TEST(DaemonPing, SaysUnavailableWhereNobodyListens) {
  EXPECT_EQ(ping("/nonexistent/libvirt-sock", 10ms).error().code, Code::Unavailable);
}

TEST(DaemonPing, FindsTheSocketOfAUri) {
  EXPECT_EQ(socketIn("qemu+unix:///system?socket=/a/b"), "/a/b");
  EXPECT_EQ(socketIn("qemu+unix:///system?mode=direct&socket=/a/b&x=y"), "/a/b");
  EXPECT_EQ(socketIn("qemu:///system"), "");
}

TEST(DaemonKnock, IsAnsweredWhereSomebodyListens) {
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(bind(socket.number(), generic, size), 0);
  ASSERT_EQ(getsockname(socket.number(), generic, &size), 0);
  const std::string port = std::to_string(ntohs(address.sin_port));
  EXPECT_EQ(knock("127.0.0.1", port, 10s).error().code, Code::Unavailable);
  ASSERT_EQ(listen(socket.number(), 1), 0);
  EXPECT_TRUE(knock("127.0.0.1", port, 10s));
}

TEST(DaemonKnock, FindsHostAndPortOfAUri) {
  using HostAndPort = std::pair<std::string, std::string>;
  EXPECT_EQ(hostIn("qemu+tls://10.0.0.2:16514/system?pkipath=/a:b"), (HostAndPort{"10.0.0.2", "16514"}));
  EXPECT_EQ(hostIn("qemu+tls://[fd00::1]:16514/system"), (HostAndPort{"fd00::1", "16514"}));
  EXPECT_EQ(hostIn("qemu+tls://[fd00::1]/system"), std::nullopt);
  EXPECT_EQ(hostIn("qemu+unix:///system?socket=/a"), std::nullopt);
  EXPECT_EQ(hostIn("qemu:///system"), std::nullopt);
}

TEST(PidDirectory, IsAUsersOwnForHisDaemon) {
  EXPECT_EQ(pidDirectoryOf("qemu:///system"), "/run/libvirt/qemu");
  EXPECT_EQ(pidDirectoryOf("qemu+unix:///system?socket=/a/run/libvirt/libvirt-sock"), "/run/libvirt/qemu");
  EXPECT_EQ(pidDirectoryOf("qemu+unix:///session?socket=/a/run/libvirt/libvirt-sock"), "/a/run/libvirt/qemu/run");
}

}  // namespace
}  // namespace godwit::hypervisor::libvirt
