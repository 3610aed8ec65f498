#include "storage/thin_door.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "base/directory_watch.hpp"
#include "base/failed_to.hpp"
#include "base/memory_file.hpp"
#include "base/unix_socket.hpp"
#include "storage/place.hpp"
#include "storage/qemu_img.hpp"
#include "storage/remote_disk.hpp"

namespace godwit::storage {
namespace {

constexpr const char* kQemuNbd = "/usr/bin/qemu-nbd";
// Starts a program that is asked to end when whoever has started it has died.
constexpr const char* kSetpriv = "/usr/bin/setpriv";

int inMilliseconds(Duration time) {
  return static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}

// By which a disk is known in a directory.
std::size_t numberOf(const hypervisor::DiskSource& disk) {
  return std::hash<std::string>{}(disk.remote.hosts.at(0).name + disk.path);
}

// Held by the server itself, for as long as it lives.
Result<Descriptor> lockFor(const hypervisor::DiskSource& disk, const std::string& directory) {
  const std::string path = directory + "/thin.lock";
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file) return failedTo("open", path);
  struct flock one {};
  one.l_type = F_WRLCK;
  one.l_whence = SEEK_SET;
  one.l_start = static_cast<off_t>(numberOf(disk) >> 1);
  one.l_len = 1;
  if (::fcntl(file.number(), F_OFD_SETLK, &one) == 0) return file;
  if (errno != EAGAIN && errno != EACCES) return failedTo("lock", path);
  return fail(Code::Conflict, fmt::format("{} is still being written to for a copy that has ended", disk.path));
}

// A server writes its number down once it listens.
Result<> awaitFile(const std::string& file, DirectoryWatch& watch, const Process& server) {
  std::array<pollfd, 2> awaited = {{{watch.descriptor(), POLLIN, 0}, {server.descriptor(), POLLIN, 0}}};
  while (!std::filesystem::exists(file)) {
    if (::poll(awaited.data(), awaited.size(), inMilliseconds(kQemuImgPatience)) == 0)
      return fail(Code::Timeout, "qemu-nbd is not ready in time");
    if (awaited[1].revents != 0) return fail(Code::Unavailable, "qemu-nbd has given up");
    watch.take();
  }
  return {};
}

struct Server {
  Process process;
  Descriptor line;
};

// One that ends with the line, or with this process: then after all that it was told to write is written.
Result<Server> serve(const hypervisor::DiskSource& disk, const Descriptor& lock, const std::string& socket) {
  const std::string ready = socket + ".ready";
  const MemoryFile complaint = TRY(MemoryFile::holding(""));
  auto watch = TRY(DirectoryWatch::open());
  TRY(watch.add(std::filesystem::path(socket).parent_path()));
  for (const std::string& leftOver : {ready, socket}) ::unlink(leftOver.c_str());
  Process server =
      TRY(Process::start({.argv = {kSetpriv, "--pdeathsig", "TERM", kQemuNbd, "--cache=none", "--pid-file=" + ready,
                                   "--socket=" + socket, Place::of(disk).qemuName()},
                          .outputFile = complaint.path(),
                          .errorFile = complaint.path(),
                          .input = lock.number()}));
  auto line = awaitFile(ready, watch, server).and_then([&] { return connectTo(socket); });
  for (const std::string& used : {ready, socket}) ::unlink(used.c_str());
  if (line) return Server{std::move(server), std::move(*line)};
  TRY(server.kill(SIGKILL));
  TRY(server.wait());
  return fail(Code::Unavailable, fmt::format("{}: {}", line.error().message, TRY(complaint.content())));
}

}  // namespace

Result<bool> takesNoRoom(const hypervisor::DiskSource& disk) { return TRY(roomOfRemote(disk)) == 0; }

Result<std::unique_ptr<ThinDoor>> ThinDoor::open(const hypervisor::DiskSource& disk, const std::string& directory) {
  const Descriptor lock = TRY(lockFor(disk, directory));
  const bool blank = TRY(takesNoRoom(disk));
  std::string socket = fmt::format("{}/{:016x}.thin", directory, numberOf(disk));
  auto [server, line] = TRY(serve(disk, lock, socket + ".nbd"));
  std::vector<Descriptor> lines;
  lines.push_back(std::move(line));
  auto sieve = TRY(hypervisor::Sieve::open(socket, std::move(lines), {{"", blank}}));
  return std::unique_ptr<ThinDoor>(new ThinDoor(std::move(socket), std::move(server), std::move(sieve)));
}

ThinDoor::~ThinDoor() {
  sieve_.reset();
  // It ends by itself only if somebody came.
  (void)server_.kill(SIGTERM);
  pollfd ended{.fd = server_.descriptor(), .events = POLLIN, .revents = 0};
  if (::poll(&ended, 1, inMilliseconds(kQemuImgPatience)) > 0) (void)server_.wait();
}

}  // namespace godwit::storage
