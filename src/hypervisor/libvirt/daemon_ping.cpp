#include "hypervisor/libvirt/daemon_ping.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "base/descriptor.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

// A message of libvirt's keepalive protocol, which a daemon answers before anybody has logged in:
// length, program, version, procedure (ping), type (message), serial, status; all big-endian.
constexpr std::array<std::uint32_t, 7> kPing = {28, 0x6b656570, 1, 1, 2, 0, 0};

Result<sockaddr_un> addressOf(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path)
    return fail(Code::Invalid, fmt::format("{} is too long for a socket", path));
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return address;
}

Result<Descriptor> reach(const std::string& path) {
  const sockaddr_un address = TRY(addressOf(path));
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return fail(Code::Internal, fmt::format("cannot make a socket: {}", std::strerror(errno)));
  if (connect(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return socket;
  // A full backlog is a daemon that has not taken a connection for long.
  const Code code = errno == EAGAIN ? Code::Timeout : Code::Unavailable;
  return fail(code, fmt::format("cannot connect to {}: {}", path, std::strerror(errno)));
}

}  // namespace

Result<> ping(const std::string& socketPath, std::chrono::milliseconds patience) {
  const Descriptor socket = TRY(reach(socketPath));
  auto message = kPing;
  for (auto& word : message) word = htonl(word);
  if (send(socket.number(), message.data(), sizeof message, MSG_NOSIGNAL) != sizeof message)
    return fail(Code::Unavailable, fmt::format("cannot speak to {}: {}", socketPath, std::strerror(errno)));
  pollfd answer{.fd = socket.number(), .events = POLLIN, .revents = 0};
  if (poll(&answer, 1, static_cast<int>(patience.count())) != 1)
    return fail(Code::Timeout, fmt::format("the daemon at {} does not answer", socketPath));
  std::array<char, sizeof message> words;
  if (recv(socket.number(), words.data(), words.size(), 0) <= 0)
    return fail(Code::Unavailable, fmt::format("the daemon at {} hung up", socketPath));
  return {};
}

std::string socketIn(const std::string& uri) {
  constexpr std::string_view kParameter = "socket=";
  for (std::size_t at = uri.find('?'); at != std::string::npos; at = uri.find('&', at + 1)) {
    const std::string_view rest = std::string_view(uri).substr(at + 1);
    if (rest.starts_with(kParameter))
      return std::string(rest.substr(kParameter.size(), rest.find('&') - kParameter.size()));
  }
  return "";
}

}  // namespace godwit::hypervisor::libvirt
