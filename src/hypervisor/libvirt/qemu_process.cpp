#include "hypervisor/libvirt/qemu_process.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

// glibc 2.36 forgot to say that these are C functions.
extern "C" {
#include <sys/pidfd.h>
}

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace godwit::hypervisor::libvirt {

namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds kDeathThroes{2'000};

std::string contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

std::optional<int> numberIn(std::string_view text) {
  int number = 0;
  const auto outcome = std::from_chars(text.data(), text.data() + text.size(), number);
  if (outcome.ec != std::errc() || number <= 1) return std::nullopt;
  return number;
}

std::string namespaceOf(const std::string& process) {
  std::error_code ignored;
  return fs::read_symlink("/proc/" + process + "/ns/pid", ignored).string();
}

// The last number of the NSpid line: what a process is called in its own namespace.
std::string innermostPid(const std::string& process) {
  std::istringstream status(contentOf("/proc/" + process + "/status"));
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("NSpid:")) return line.substr(line.find_last_of(" \t") + 1);
  return "";
}

// What the process called `pid` in the neighbour's namespace is called here; nothing when it is dead.
Result<std::optional<int>> translate(int pid, int neighbour) {
  const std::string inner = namespaceOf(std::to_string(neighbour));
  if (inner.empty()) return fail(Code::Internal, fmt::format("cannot see the namespace of process {}", neighbour));
  const std::string wanted = std::to_string(pid);
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    const auto number = numberIn(name);
    if (number && namespaceOf(name) == inner && innermostPid(name) == wanted) return number;
  }
  return std::nullopt;
}

// libvirt starts QEMU with "-name guest=<domain>,debug-threads=on".
bool isQemuOf(const std::string& commandLine, const std::string& domain) {
  const std::string_view program = std::string_view(commandLine).substr(0, commandLine.find('\0'));
  const std::string_view file = program.substr(program.find_last_of('/') + 1);
  const std::string name = std::string(1, '\0') + "guest=" + domain;
  return file.starts_with("qemu") && (commandLine.find(name + ",") != std::string::npos ||
                                      commandLine.find(name + std::string(1, '\0')) != std::string::npos);
}

// The letter after the command name in /proc/<pid>/stat; the name itself may hold anything.
char runState(int pid) {
  const std::string stat = contentOf(fmt::format("/proc/{}/stat", pid));
  const auto end = stat.rfind(") ");
  return end == std::string::npos ? 'X' : stat[end + 2];
}

// libvirt gives QEMU a socket of that name to listen at, and is the only one who comes.
bool isLineToDaemon(const Descriptor& socket) {
  sockaddr_un name{};
  socklen_t size = sizeof name, length = sizeof(int);
  int listens = 0;
  return getsockname(socket.number(), reinterpret_cast<sockaddr*>(&name), &size) == 0 && name.sun_family == AF_UNIX &&
         std::string_view(name.sun_path, strnlen(name.sun_path, sizeof name.sun_path)).ends_with("/monitor.sock") &&
         getsockopt(socket.number(), SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) == 0 && listens == 0;
}

}  // namespace

Result<std::optional<QemuProcess>> QemuProcess::find(const ProcessRegister& processes, const std::string& domain) {
  const std::string file = fmt::format("{}/{}.pid", processes.directory, domain);
  const auto written = numberIn(contentOf(file));
  if (!written) return fail(Code::NotFound, fmt::format("{} names no process", file));
  const auto pid = processes.neighbour ? TRY(translate(*written, *processes.neighbour)) : written;
  if (!pid) return std::nullopt;
  QemuProcess process(*pid, Descriptor(pidfd_open(*pid, 0)));
  if (!process.pidfd_ && errno == ESRCH) return std::nullopt;
  if (!process.pidfd_)
    return fail(Code::Internal, fmt::format("cannot hold process {}: {}", *pid, std::strerror(errno)));
  const std::string commandLine = contentOf(fmt::format("/proc/{}/cmdline", *pid));
  // One whose memory is gone already has no command line any more, and is about to be dead.
  if (process.isDeadWithin(commandLine.empty() ? kDeathThroes : milliseconds(0))) return std::nullopt;
  if (!isQemuOf(commandLine, domain))
    return fail(Code::Internal, fmt::format("process {} named by {} is not the QEMU of {}", *pid, file, domain));
  return std::optional(std::move(process));
}

Result<> QemuProcess::freeze() {
  TRY(send(SIGSTOP));
  // The stop takes effect when the thread next leaves the kernel: a wait for the disk (D) counts as standing still.
  constexpr int kLooks = 2200, kQuickLooks = 200;
  for (int look = 0; look < kLooks; ++look) {
    if (std::strchr("TtDZX", runState(pid_))) return {};
    if (isDeadWithin(milliseconds(look < kQuickLooks ? 0 : 1))) return {};
  }
  TRY(thaw());
  return fail(Code::Timeout, fmt::format("process {} does not stop", pid_));
}

bool QemuProcess::isFrozen() const { return runState(pid_) == 'T'; }

Result<> QemuProcess::thaw() { return send(SIGCONT); }

Descriptor QemuProcess::lineToDaemon() const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(fmt::format("/proc/{}/fd", pid_), ignored)) {
    if (!fs::read_symlink(entry.path(), ignored).string().starts_with("socket:")) continue;
    Descriptor socket(pidfd_getfd(pidfd_.number(), std::stoi(entry.path().filename()), 0));
    if (socket && isLineToDaemon(socket)) return socket;
  }
  return Descriptor();
}

Result<> QemuProcess::kill() { return send(SIGKILL); }

Result<> QemuProcess::send(int signal) {
  if (pidfd_send_signal(pidfd_.number(), signal, nullptr, 0) == 0 || errno == ESRCH) return {};
  return fail(Code::Internal, fmt::format("cannot signal process {}: {}", pid_, std::strerror(errno)));
}

bool QemuProcess::isToldToEnd() const {
  constexpr std::string_view kPending = "ShdPnd:";
  std::istringstream status(contentOf(fmt::format("/proc/{}/status", pid_)));
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(kPending)) return std::stoull(line.substr(kPending.size()), nullptr, 16) >> (SIGTERM - 1) & 1;
  return false;
}

bool QemuProcess::diesBefore(int descriptor, std::chrono::milliseconds patience) const {
  std::array<pollfd, 2> awaited = {{{pidfd_.number(), POLLIN, 0}, {descriptor, POLLIN, 0}}};
  poll(awaited.data(), awaited.size(), static_cast<int>(patience.count()));
  return awaited[0].revents != 0;
}

bool QemuProcess::isGoneWithin(std::chrono::milliseconds patience) const {
  if (!isDeadWithin(patience)) return false;
  // Nobody tells of that.
  constexpr int kLooks = 200;
  for (int look = 0; look < kLooks; ++look) {
    if (pidfd_send_signal(pidfd_.number(), 0, nullptr, 0) != 0) return true;
    poll(nullptr, 0, 1);
  }
  return false;
}

bool QemuProcess::isDeadWithin(std::chrono::milliseconds patience) const { return diesBefore(-1, patience); }

}  // namespace godwit::hypervisor::libvirt
