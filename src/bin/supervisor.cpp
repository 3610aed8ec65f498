#include "bin/supervisor.hpp"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include <fmt/format.h>

#include "base/bell.hpp"
#include "base/descriptor.hpp"
#include "base/files.hpp"
#include "base/log.hpp"
#include "base/restart_delay.hpp"

namespace godwit::bin {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 10s;

// The arguments of a process, each ended by a zero byte; empty when there is no such process.
std::string argumentsOf(pid_t pid) { return readFile(fmt::format("/proc/{}/cmdline", pid)).value_or(""); }

pid_t pidIn(const std::string& pidFile) {
  const auto text = readFile(pidFile);
  return text ? static_cast<pid_t>(std::strtol(text->c_str(), nullptr, 10)) : 0;
}

bool hasArgument(pid_t pid, const std::string& word) {
  const std::string arguments = '\0' + argumentsOf(pid);
  return pid > 1 && arguments.find('\0' + word + '\0') != std::string::npos;
}

bool endsWithin(int descriptor, std::chrono::milliseconds patience) {
  pollfd ended{descriptor, POLLIN, 0};
  return ::poll(&ended, 1, static_cast<int>(patience.count())) == 1;
}

void waitOrEnd(Process& process, int endSignal, std::stop_token stop) {
  const std::stop_callback tell(stop, [&] { (void)process.kill(endSignal); });
  while (!endsWithin(process.descriptor(), 1h))
    ;
}

}  // namespace

void supervise(const Service& service, const Clock& clock, std::stop_token stop) {
  RestartDelay delay;
  Bell bell;
  while (!stop.stop_requested()) {
    const Timestamp born = clock.now();
    auto process = Process::start(service.command);
    if (process) {
      (void)replaceFile(service.pidFile, std::to_string(process->pid()));
      if (service.started) service.started(stop);
      waitOrEnd(*process, service.endSignal, stop);
      (void)process->wait();
    }
    if (stop.stop_requested()) break;
    const auto patience = delay.after(clock.now() - born);
    log::warn("{} has ended; it is started again in {} ms", service.name, patience.count());
    bell.waitFor(patience, stop);
  }
  ::unlink(service.pidFile.c_str());
}

Result<> endProcess(const std::string& pidFile, const std::string& word, int endSignal) {
  if (const Descriptor process = holdProcess(pidFile, word)) {
    for (const int signal : {endSignal, SIGKILL}) {
      ::syscall(SYS_pidfd_send_signal, process.number(), signal, nullptr, 0);
      if (endsWithin(process.number(), kPatience)) break;
      if (signal == SIGKILL) return fail(Code::Timeout, fmt::format("the process of {} does not end", pidFile));
    }
    siginfo_t status = {};
    // Where it was a child of this process.
    ::waitid(P_PIDFD, static_cast<id_t>(process.number()), &status, WEXITED | WNOHANG);
  }
  ::unlink(pidFile.c_str());
  return {};
}

Descriptor holdProcess(pid_t pid) { return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))); }

Descriptor holdProcess(const std::string& pidFile, const std::string& word) {
  const pid_t pid = pidIn(pidFile);
  if (pid <= 1) return Descriptor();
  Descriptor held = holdProcess(pid);
  return held && hasArgument(pid, word) ? std::move(held) : Descriptor();
}

bool isAlive(const std::string& pidFile, const std::string& word) { return hasArgument(pidIn(pidFile), word); }

}  // namespace godwit::bin
