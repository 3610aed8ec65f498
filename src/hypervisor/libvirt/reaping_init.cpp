#include "hypervisor/libvirt/reaping_init.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "base/restart_delay.hpp"
#include "hypervisor/libvirt/mending.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

using namespace std::chrono_literals;

// A daemon that is asked to end first finishes its migrations; nobody waits for that for ever.
constexpr auto kGrace = 5s;
constexpr int kCannotRun = 127;
constexpr const char* kRemedy =
    "; an ordinary user needs user namespaces (sysctl kernel.unprivileged_userns_clone=1 and user.max_user_namespaces "
    "above 0), or root";

std::vector<char*> pointersTo(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environmentWith(const std::vector<std::string>& added) {
  std::vector<std::string> environment = added;
  for (char** variable = environ; *variable; ++variable) environment.emplace_back(*variable);
  return environment;
}

void unblockSignals() {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// One command and the process it is at present.
class Supervised {
 public:
  explicit Supervised(SupervisedCommand command) : command_(std::move(command)) {}

  bool isRunning() const { return pid_ > 0; }
  bool is(pid_t pid) const { return pid_ == pid; }
  Timestamp due() const { return due_; }

  void start(Timestamp now) {
    if (command_.prepare) command_.prepare();
    const auto environment = environmentWith(command_.environment);
    const auto argv = pointersTo(command_.argv);
    const auto envp = pointersTo(environment);
    started_ = now;
    pid_ = fork();
    if (pid_ == 0) {
      unblockSignals();
      execve(argv[0], argv.data(), envp.data());
      _exit(kCannotRun);
    }
    if (pid_ < 0) markEnded(now);
  }

  void markEnded(Timestamp now) {
    pid_ = 0;
    due_ = now + delay_.after(now - started_);
  }

  void signal(int number) const {
    if (isRunning()) kill(pid_, number);
  }

 private:
  SupervisedCommand command_;
  pid_t pid_ = 0;
  Timestamp started_;
  Timestamp due_;
  RestartDelay delay_;
};

class ReapingInit {
 public:
  ReapingInit(const std::vector<SupervisedCommand>& commands, const Clock& clock)
      : clock_(clock), commands_(commands.begin(), commands.end()) {
    sigemptyset(&signals_);
    for (const int number : {SIGCHLD, SIGTERM, SIGINT}) sigaddset(&signals_, number);
    sigprocmask(SIG_BLOCK, &signals_, nullptr);
  }

  void run() {
    for (;;) {
      for (Supervised& command : commands_)
        if (!command.isRunning() && command.due() <= clock_.now()) command.start(clock_.now());
      const int signal = waitForSignal(nextStart());
      if (signal == SIGTERM || signal == SIGINT) return;
      reap();
    }
  }

  void end() {
    for (auto command = commands_.rbegin(); command != commands_.rend(); ++command) end(*command);
    kill(-1, SIGKILL);
    while (wait(nullptr) > 0 || errno == EINTR) {
    }
  }

 private:
  // When the next command is to be started again; nothing while all run.
  std::optional<Timestamp> nextStart() const {
    std::optional<Timestamp> next;
    for (const Supervised& command : commands_)
      if (!command.isRunning() && (!next || command.due() < *next)) next = command.due();
    return next;
  }

  int waitForSignal(std::optional<Timestamp> until) const {
    if (!until) return sigwaitinfo(&signals_, nullptr);
    const auto left = std::max<Duration>(*until - clock_.now(), 1ms);
    const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
    const timespec patience{.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
    return sigtimedwait(&signals_, nullptr, &patience);
  }

  void reap() {
    for (pid_t pid = 0; (pid = waitpid(-1, nullptr, WNOHANG)) > 0;)
      for (Supervised& command : commands_)
        if (command.is(pid)) command.markEnded(clock_.now());
  }

  void end(Supervised& command) {
    const Timestamp deadline = clock_.now() + kGrace;
    command.signal(SIGTERM);
    while (command.isRunning() && clock_.now() < deadline) {
      waitForSignal(deadline);
      reap();
    }
    command.signal(SIGKILL);
  }

  const Clock& clock_;
  std::vector<Supervised> commands_;
  sigset_t signals_;
};

// How an ordinary user is called inside a user namespace of his own: as outside.
struct Identity {
  std::string users = fmt::format("{0} {0} 1", geteuid());
  std::string groups = fmt::format("{0} {0} 1", getegid());
};

// The functions from here on run in the new process, between its birth and its program: only system calls.
bool put(const char* path, std::string_view text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  const bool written = file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  return written;
}

// In a user namespace one may mount, until the program is executed.
bool settleIn(const Identity& identity) {
  return put("/proc/self/setgroups", "deny") && put("/proc/self/uid_map", identity.users) &&
         put("/proc/self/gid_map", identity.groups) &&
         mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("proc", "/proc", "proc", 0, nullptr) == 0;
}

[[noreturn]] void become(char* const* argv, Lifetime lifetime, const Identity* identity) {
  constexpr std::string_view kRefused = "the kernel lets an ordinary user have no namespaces of his own\n";
  if (identity && !settleIn(*identity)) {
    (void)!::write(STDERR_FILENO, kRefused.data(), kRefused.size());
    _exit(kCannotRun);
  }
  if (lifetime == Lifetime::WithParent) prctl(PR_SET_PDEATHSIG, SIGKILL);
  setsid();
  unblockSignals();
  close_range(STDERR_FILENO + 1, ~0U, 0);
  execv(argv[0], argv);
  _exit(kCannotRun);
}

}  // namespace

SupervisedCommand daemonOf(const House& house) {
  return {.argv = daemonCommand(house), .environment = daemonEnvironment(house), .prepare = [house] {
            mendRecords(pidDirectory(house));
          }};
}

int runReapingInit(const House& house, const std::vector<SupervisedCommand>& commands, const Clock& clock) {
  if (const auto entered = enterHouse(house); !entered) {
    fmt::print(stderr, "cannot enter the house {}: {}\n", house.directory, entered.error().message);
    return 1;
  }
  ReapingInit init(commands, clock);
  init.run();
  init.end();
  return 0;
}

Result<pid_t> startHouse(const std::vector<std::string>& command, Lifetime lifetime, Network network) {
  const auto argv = pointersTo(command);
  const std::optional<Identity> identity = geteuid() == 0 ? std::nullopt : std::optional<Identity>(Identity{});
  const unsigned long flags = CLONE_NEWNS | CLONE_NEWPID | SIGCHLD | (identity ? CLONE_NEWUSER : 0) |
                              (network == Network::Own ? CLONE_NEWNET : 0);
  // As fork() does, but the child is the first process of its namespaces, and the caller's own child.
  const auto pid = static_cast<pid_t>(syscall(SYS_clone, flags, nullptr, nullptr, nullptr, 0));
  if (pid == 0) become(argv.data(), lifetime, identity ? &*identity : nullptr);
  if (pid < 0)
    return fail(Code::Internal,
                fmt::format("cannot make namespaces: {}{}", std::strerror(errno), identity ? kRemedy : ""));
  return pid;
}

}  // namespace godwit::hypervisor::libvirt
