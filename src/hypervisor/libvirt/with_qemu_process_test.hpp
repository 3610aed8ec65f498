#pragma once

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "base/descriptor.hpp"
#include "base/scratch_directory_test.hpp"
#include "hypervisor/libvirt/qemu_process.hpp"

namespace godwit::hypervisor::libvirt {

// A shell that waits for ever and calls itself by the given name, as if libvirt had started it for a domain.
class WithQemuProcess : public testing::Test {
 protected:
  ~WithQemuProcess() override {
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

}  // namespace godwit::hypervisor::libvirt
