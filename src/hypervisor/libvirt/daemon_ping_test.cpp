#include "hypervisor/libvirt/daemon_ping.hpp"

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

}  // namespace
}  // namespace godwit::hypervisor::libvirt
