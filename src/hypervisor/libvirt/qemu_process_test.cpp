#include "hypervisor/libvirt/qemu_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/descriptor.hpp"
#include "base/scratch_directory_test.hpp"
#include "hypervisor/libvirt/unix_socket.hpp"

namespace godwit::hypervisor::libvirt {
namespace {

// A shell that waits for ever and calls itself by the given name, as if libvirt had started it for a domain.
class QemuProcessTest : public testing::Test {
 protected:
  ~QemuProcessTest() override {
    if (child_ > 0) kill(child_, SIGKILL);
    if (child_ > 0) waitpid(child_, nullptr, 0);
  }

  void start(const std::string& program, const std::string& guest) {
    int ready[2];
    int line[2];
    ASSERT_EQ(pipe2(ready, O_CLOEXEC), 0);
    ASSERT_EQ(pipe2(line, O_CLOEXEC), 0);
    line_ = Descriptor(line[1]);
    child_ = fork();
    if (child_ == 0) {
      dup2(line[0], STDIN_FILENO);
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      execl("/bin/sh", program.c_str(), "-c", "kill -STOP $$; read line", "-name", guest.c_str(), nullptr);
      _exit(127);
    }
    close(ready[1]);
    close(line[0]);
    // Closed by the child when it becomes the shell.
    char nothing;
    EXPECT_EQ(read(ready[0], &nothing, 1), 0);
    close(ready[0]);
    waitpid(child_, nullptr, WUNTRACED);
    write(child_);
  }

  void write(int pid) {
    std::filesystem::create_directories(processes_.directory);
    std::ofstream(processes_.directory + "/db-1.pid") << pid << "\n";
  }

  const ScratchDirectory directory_;
  const ProcessRegister processes_{.directory = directory_.file("pids")};
  int child_ = 0;
  Descriptor line_;  // for which the child waits, and which never comes
};

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
