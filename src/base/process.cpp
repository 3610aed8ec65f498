#include "base/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

// glibc 2.36 forgot to say that these are C functions.
extern "C" {
#include <sys/pidfd.h>
}

#include <cerrno>
#include <csignal>

#include "base/failed_to.hpp"

namespace godwit {
namespace {

constexpr int kAppend = O_WRONLY | O_CREAT | O_APPEND;
constexpr mode_t kOwnerOnly = 0600;

// What posix_spawn is told about the child's descriptors.
class FileActions {
 public:
  explicit FileActions(const Command& command) {
    posix_spawn_file_actions_init(&actions_);
    if (command.input < 0)
      posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    else
      posix_spawn_file_actions_adddup2(&actions_, command.input, STDIN_FILENO);
    if (!command.outputFile.empty()) append(STDOUT_FILENO, command.outputFile);
    if (!command.errorFile.empty()) append(STDERR_FILENO, command.errorFile);
    posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
  }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  void append(int descriptor, const std::string& file) {
    posix_spawn_file_actions_addopen(&actions_, descriptor, file.c_str(), kAppend, kOwnerOnly);
  }

  posix_spawn_file_actions_t actions_;
};

// And about its signals and session.
class Attributes {
 public:
  explicit Attributes(const Command& command) {
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    const int session = command.ownSession ? POSIX_SPAWN_SETSID : 0;
    posix_spawnattr_setflags(&attributes_,
                             static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | session));
  }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_;
};

Exit exitIn(const siginfo_t& status) {
  if (status.si_code == CLD_EXITED) return {.status = status.si_status, .signal = 0};
  return {.status = 0, .signal = status.si_status};
}

// For exec: each word, and a null at the end. Of two environment variables of one name the first counts.
std::vector<char*> listOf(const std::vector<std::string>& words, char** more = nullptr) {
  std::vector<char*> list;
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  for (; more && *more; ++more) list.push_back(*more);
  list.push_back(nullptr);
  return list;
}

}  // namespace

Result<Process> Process::start(const Command& command) {
  ENSURE(!command.argv.empty(), "a command names its program");
  const std::vector<char*> argv = listOf(command.argv);
  const std::vector<char*> environment = listOf(command.environment, environ);
  const FileActions actions(command);
  const Attributes attributes(command);
  pid_t pid = 0;
  if (const int error = posix_spawn(&pid, argv[0], actions.get(), attributes.get(), argv.data(), environment.data()))
    return failedTo("start", command.argv[0], error);
  // Nobody else reaps it, so the number is still its own.
  Descriptor pidfd(pidfd_open(pid, 0));
  if (!pidfd) return failedTo("hold", command.argv[0], errno);
  return Process(pid, std::move(pidfd));
}

Result<std::optional<Exit>> Process::poll() { return reap(WNOHANG); }

Result<Exit> Process::wait() {
  const auto exit = TRY(reap(0));
  ENSURE(exit, "waiting ends with the process");
  return *exit;
}

Result<> Process::kill(int signal) {
  if (exit_ || pidfd_send_signal(pidfd_.number(), signal, nullptr, 0) == 0 || errno == ESRCH) return {};
  return failedTo("signal", std::to_string(pid_), errno);
}

Result<std::optional<Exit>> Process::reap(int options) {
  if (exit_) return exit_;
  siginfo_t status = {};
  while (waitid(P_PIDFD, static_cast<id_t>(pidfd_.number()), &status, WEXITED | options) != 0)
    if (errno != EINTR) return failedTo("wait for", std::to_string(pid_), errno);
  if (status.si_pid != 0) exit_ = exitIn(status);
  return exit_;
}

}  // namespace godwit
