#include "importer/inlet.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "base/failed_to.hpp"
#include "base/unix_socket.hpp"

namespace godwit::importer {
namespace {

constexpr const char* kName = "/inlet";
constexpr int kIdleMs = 1000;
constexpr int kMostSilence = 60;  // times kIdleMs
constexpr std::uint32_t kMostPiece = 64 << 20;
constexpr char kTaken = '+';
constexpr char kUnusable = '!';  // and why
constexpr char kFailed = '-';    // and why

// The directory's path may be longer than an address can hold, so it is reached through a descriptor.
struct Address {
  Descriptor directory;
  sockaddr_un name = {};

  const sockaddr* raw() const { return reinterpret_cast<const sockaddr*>(&name); }
};

Result<Address> addressIn(const std::string& directory) {
  Address address;
  address.directory = Descriptor(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!address.directory) return failedTo("open", directory);
  address.name.sun_family = AF_UNIX;
  const std::string path = fmt::format("/proc/self/fd/{}{}", address.directory.number(), kName);
  std::memcpy(address.name.sun_path, path.c_str(), path.size() + 1);
  return address;
}

Result<bool> readable(const Descriptor& socket, const Idle& idle, int patience) {
  for (int waited = 0; waited != patience; ++waited) {
    TRY(idle());
    pollfd wanted{.fd = socket.number(), .events = POLLIN, .revents = 0};
    if (::poll(&wanted, 1, kIdleMs) > 0) return true;
  }
  return false;
}

char letterOf(const Result<>& outcome) {
  if (outcome) return kTaken;
  return outcome.error().code == Code::Invalid ? kUnusable : kFailed;
}

template <class Number>
std::string_view bytesOf(const Number& number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

}  // namespace

Result<Inlet> Inlet::open(const std::string& directory) {
  const Address address = TRY(addressIn(directory));
  const std::string path = directory + kName;
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return failedTo("remove", path);
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket || ::bind(socket.number(), address.raw(), sizeof address.name) != 0 || ::listen(socket.number(), 1) != 0)
    return failedTo("listen at", path);
  return Inlet(path, std::move(socket));
}

Inlet::~Inlet() {
  if (socket_) ::unlink(path_.c_str());
}

Result<Shipment> Inlet::accept(const Idle& idle) const {
  for (;;) {
    TRY(readable(socket_, idle, -1));
    Shipment shipment(Descriptor(::accept4(socket_.number(), nullptr, nullptr, SOCK_CLOEXEC)));
    if (!shipment.socket_) return failedTo("accept at", path_);
    if (TRY(shipment.readExactly(reinterpret_cast<char*>(&shipment.total_), sizeof shipment.total_, idle)))
      return shipment;
  }
}

Result<bool> Shipment::read(const Sink& into, const Idle& idle) const {
  std::vector<char> piece;
  for (;;) {
    std::uint32_t size = 0;
    if (!TRY(readExactly(reinterpret_cast<char*>(&size), sizeof size, idle)) || size > kMostPiece) return false;
    if (size == 0) return true;
    piece.resize(size);
    if (!TRY(readExactly(piece.data(), size, idle))) return false;
    TRY(into({piece.data(), size}));
  }
}

Result<bool> Shipment::readExactly(char* to, std::size_t size, const Idle& idle) const {
  while (size > 0) {
    ssize_t got = ::recv(socket_.number(), to, size, MSG_DONTWAIT);
    if (got < 0 && errno == EAGAIN) {
      if (!TRY(readable(socket_, idle, kMostSilence))) return false;
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

void Shipment::answer(const Result<>& outcome) const {
  const std::string text = letterOf(outcome) + (outcome ? "" : outcome.error().message);
  // It is short enough to find room at once.
  ::send(socket_.number(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

Result<Sender> Sender::reach(const std::string& directory, std::int64_t total) {
  const Address address = TRY(addressIn(directory));
  Sender sender(Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)));
  const int number = sender.socket_.number();
  if (!sender.socket_ || ::connect(number, address.raw(), sizeof address.name) != 0 || !sendAll(number, bytesOf(total)))
    return fail(Code::Unavailable, "its importer does not listen yet; try again");
  return sender;
}

Result<> Sender::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kMostPiece);
    const auto size = static_cast<std::uint32_t>(piece.size());
    if (!sendAll(socket_.number(), bytesOf(size)) || !sendAll(socket_.number(), piece)) return answer();
    bytes.remove_prefix(piece.size());
  }
  return {};
}

Result<> Sender::finish() const {
  constexpr std::uint32_t kEnd = 0;
  (void)sendAll(socket_.number(), bytesOf(kEnd));
  return answer();
}

Result<> Sender::answer() const {
  std::string text;
  std::array<char, 4096> part;
  for (ssize_t got = 0; (got = ::recv(socket_.number(), part.data(), part.size(), 0)) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  if (text.empty()) return fail(Code::Unavailable, "its importer has died; try again");
  if (text.front() == kTaken) return {};
  return fail(text.front() == kUnusable ? Code::Invalid : Code::Internal, text.substr(1));
}

}  // namespace godwit::importer
