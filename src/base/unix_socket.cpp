#include "base/unix_socket.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace godwit {

Result<sockaddr_un> addressOf(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return fail(Code::Invalid, fmt::format("{} is too long for a socket", path));
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

Result<Descriptor> connectTo(const std::string& path, int flags) {
  const sockaddr_un address = TRY(addressOf(path));
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
  if (!socket) return fail(Code::Internal, fmt::format("cannot make a socket: {}", std::strerror(errno)));
  if (connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return socket;
  // A full backlog is a daemon that has not taken a connection for long.
  const Code code = errno == EAGAIN ? Code::Timeout : Code::Unavailable;
  return fail(code, fmt::format("cannot connect to {}: {}", path, std::strerror(errno)));
}

bool sendAll(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) return false;
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool receiveAll(int socket, char* into, std::size_t size) {
  while (size > 0) {
    const ssize_t came = recv(socket, into, size, MSG_WAITALL);
    if (came < 0 && errno == EINTR) continue;
    if (came <= 0) return false;
    into += came;
    size -= static_cast<std::size_t>(came);
  }
  return true;
}

}  // namespace godwit
