#include "hypervisor/libvirt/qemu_process.hpp"

#include <sys/socket.h>

#include "base/unix_socket.hpp"
#include "hypervisor/libvirt/with_qemu_process_test.hpp"

namespace godwit::hypervisor::libvirt {
namespace {

using QemuProcessTest = WithQemuProcess;

TEST_F(QemuProcessTest, FindsTheDomainsQemu) {
  start("/usr/bin/qemu-system-x86_64", "guest=db-1,debug-threads=on");
  EXPECT_TRUE(QemuProcess::find(processes_, "db-1")->has_value());
}

TEST_F(QemuProcessTest, RefusesAProcessThatIsNotQemu) {
  start("/usr/bin/postgres", "guest=db-1,debug-threads=on");
  EXPECT_EQ(QemuProcess::find(processes_, "db-1").error().code, Code::Internal);
}

TEST_F(QemuProcessTest, RefusesTheQemuOfAnotherDomain) {
  start("/usr/bin/qemu-system-x86_64", "guest=db-10,debug-threads=on");
  EXPECT_EQ(QemuProcess::find(processes_, "db-1").error().code, Code::Internal);
}

TEST_F(QemuProcessTest, FindsNothingWhereTheProcessIsDead) {
  start("/usr/bin/qemu-system-x86_64", "guest=db-1,debug-threads=on");
  kill(child_, SIGKILL);
  waitpid(child_, nullptr, 0);
  child_ = 0;
  EXPECT_FALSE(QemuProcess::find(processes_, "db-1")->has_value());
}

TEST_F(QemuProcessTest, SaysSoWhenNoProcessIsWrittenDown) {
  EXPECT_EQ(QemuProcess::find(processes_, "db-1").error().code, Code::NotFound);
  write(0);
  EXPECT_EQ(QemuProcess::find(processes_, "db-1").error().code, Code::NotFound);
}

TEST_F(QemuProcessTest, FreezesThawsAndKills) {
  start("/usr/bin/qemu-system-x86_64", "guest=db-1");
  QemuProcess process = std::move(**QemuProcess::find(processes_, "db-1"));
  int status = 0;

  ASSERT_TRUE(process.thaw());
  waitpid(child_, &status, WCONTINUED);
  EXPECT_TRUE(WIFCONTINUED(status));
  ASSERT_TRUE(process.freeze());
  waitpid(child_, &status, WUNTRACED);
  EXPECT_TRUE(WIFSTOPPED(status));
  ASSERT_TRUE(process.kill());
  waitpid(child_, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  child_ = 0;
}

// The child inherits what it would have accepted from its daemon.
TEST_F(QemuProcessTest, HoldsItsLineToTheDaemonBeyondItsDeath) {
  const auto address = addressOf(directory_.file("monitor.sock"));
  const Descriptor listener(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(bind(listener.number(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address), 0);
  ASSERT_EQ(listen(listener.number(), 1), 0);
  const Descriptor daemon = std::move(*connectTo(directory_.file("monitor.sock")));
  Descriptor accepted(accept(listener.number(), nullptr, nullptr));
  start("/usr/bin/qemu-system-x86_64", "guest=db-1");
  accepted = Descriptor();

  QemuProcess process = std::move(**QemuProcess::find(processes_, "db-1"));
  Descriptor line = process.lineToDaemon();
  EXPECT_TRUE(line);
  ASSERT_TRUE(process.kill());
  waitpid(child_, nullptr, 0);
  child_ = 0;
  char nothing;
  EXPECT_EQ(recv(daemon.number(), &nothing, 1, MSG_DONTWAIT), -1) << "there is nothing to hear yet";
  line = Descriptor();
  EXPECT_EQ(recv(daemon.number(), &nothing, 1, MSG_DONTWAIT), 0);
}

}  // namespace
}  // namespace godwit::hypervisor::libvirt
