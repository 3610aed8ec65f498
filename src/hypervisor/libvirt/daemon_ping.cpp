#include "hypervisor/libvirt/daemon_ping.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "base/descriptor.hpp"
#include "base/unix_socket.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

// A message of libvirt's keepalive protocol, which a daemon answers before anybody has logged in:
// length, program, version, procedure (ping), type (message), serial, status; all big-endian.
constexpr std::array<std::uint32_t, 7> kPing = {28, 0x6b656570, 1, 1, 2, 0, 0};

}  // namespace

Result<> ping(const std::string& socketPath, std::chrono::milliseconds patience) {
  const Descriptor socket = TRY(connectTo(socketPath, SOCK_NONBLOCK));
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

Result<> knock(const std::string& host, const std::string& port, std::chrono::milliseconds patience) {
  const auto complain = [&](Code code, const char* why) {
    return fail(code, fmt::format("cannot connect to {} port {}: {}", host, port, why));
  };
  addrinfo wanted = {};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  if (const int error = getaddrinfo(host.c_str(), port.c_str(), &wanted, &list))
    return complain(Code::Unavailable, gai_strerror(error));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> found(list, &freeaddrinfo);
  const Descriptor socket(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return complain(Code::Internal, std::strerror(errno));
  if (connect(socket.number(), found->ai_addr, found->ai_addrlen) == 0) return {};
  if (errno != EINPROGRESS) return complain(Code::Unavailable, std::strerror(errno));
  pollfd taken{.fd = socket.number(), .events = POLLOUT, .revents = 0};
  if (poll(&taken, 1, static_cast<int>(patience.count())) != 1) return complain(Code::Timeout, "nobody answers");
  int error = 0;
  socklen_t size = sizeof error;
  getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &size);
  if (error != 0) return complain(Code::Unavailable, std::strerror(error));
  return {};
}

std::optional<std::pair<std::string, std::string>> hostIn(const std::string& uri) {
  constexpr std::string_view kBefore = "://";
  const auto begin = uri.find(kBefore);
  if (begin == std::string::npos) return std::nullopt;
  const std::string rest = uri.substr(begin + kBefore.size());
  std::string place = rest.substr(0, rest.find('/'));
  const auto colon = place.rfind(':');
  if (colon == std::string::npos || colon == 0 || place.back() == ']') return std::nullopt;
  const std::string port = place.substr(colon + 1);
  place.resize(colon);
  if (place.front() == '[' && place.back() == ']') place = place.substr(1, place.size() - 2);
  return std::pair(place, port);
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

std::string pidDirectoryOf(const std::string& uri) {
  const std::string place = uri.substr(0, uri.find('?'));
  const std::string socket = socketIn(uri);
  if (!place.ends_with("/session") || socket.empty()) return "/run/libvirt/qemu";
  return std::filesystem::path(socket).parent_path() / "qemu/run";
}

std::string socketOf(const std::string& uri) {
  if (const std::string named = socketIn(uri); !named.empty()) return named;
  const std::string modular = "/run/libvirt/virtqemud-sock";
  return std::filesystem::exists(modular) ? modular : "/run/libvirt/libvirt-sock";
}

}  // namespace godwit::hypervisor::libvirt
