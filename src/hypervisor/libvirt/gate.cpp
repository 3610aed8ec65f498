#include "hypervisor/libvirt/gate.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <fmt/format.h>

#include "base/unix_socket.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

// What stands before every message: its length with this, then whom it is for and what it is about; all big-endian.
struct Header {
  std::uint32_t length, program, version, procedure, type, serial, status;
};

// libvirt's remote protocol, whose numbers never change.
constexpr std::uint32_t kRemote = 0x20008086;
constexpr std::uint32_t kPerform = 305;  // the parameters' third form, which all daemons of today speak
constexpr std::uint32_t kConfirm = 307;
constexpr std::uint32_t kCall = 0, kReply = 1;
constexpr std::uint32_t kWell = 0;
constexpr std::uint32_t kKeepAlive = 0x6b656570, kPong = 2;
constexpr std::uint32_t kLongest = 64 << 20;

std::uint32_t wordAt(const std::string& message, std::size_t offset) {
  std::uint32_t word = 0;
  std::memcpy(&word, message.data() + offset, sizeof word);
  return ntohl(word);
}

bool isAbout(const std::string& message, std::uint32_t procedure, std::uint32_t type) {
  return wordAt(message, offsetof(Header, program)) == kRemote &&
         wordAt(message, offsetof(Header, procedure)) == procedure && wordAt(message, offsetof(Header, type)) == type;
}

// The last that a confirmation says is whether the guest was cancelled.
bool saysThatItFailed(const std::string& confirmation) {
  return wordAt(confirmation, confirmation.size() - sizeof(std::uint32_t)) != 0;
}

// A whole message; empty when there is none any more.
std::string receiveMessage(int socket) {
  std::string message(sizeof(Header), '\0');
  if (!receiveAll(socket, message.data(), message.size())) return "";
  const std::uint32_t length = wordAt(message, offsetof(Header, length));
  if (length < sizeof(Header) || length > kLongest) return "";
  message.resize(length);
  return receiveAll(socket, message.data() + sizeof(Header), length - sizeof(Header)) ? message : "";
}

constexpr int kNames = 100;

// The name that the socket listens at; empty when that one is taken.
std::string listenAt(const Descriptor& listener, int number) {
  std::string name = fmt::format("@godwit-gate-{}-{}", getpid(), number);
  auto address = addressOf(name);
  // A name that begins with nothing is no file's.
  address->sun_path[0] = '\0';
  const bool bound = bind(listener.number(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) == 0;
  return bound && listen(listener.number(), 1) == 0 ? name : "";
}

bool isOurs(const Descriptor& client) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return getsockopt(client.number(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid == getpid();
}

// The first who comes and is of this process: nobody else has business with the daemon here.
Descriptor admit(int listener, int leaving) {
  std::array<pollfd, 2> awaited = {{{listener, POLLIN, 0}, {leaving, POLLIN, 0}}};
  while (poll(awaited.data(), awaited.size(), -1) > 0 && awaited[1].revents == 0) {
    Descriptor client(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    if (client && isOurs(client)) return client;
  }
  return Descriptor();
}

}  // namespace

Result<std::unique_ptr<Gate>> Gate::open(const std::string& daemonSocket, Keeper keeper) {
  Descriptor daemon = TRY(connectTo(daemonSocket));
  Descriptor listener(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  std::string name;
  for (int tries = 0; tries < kNames && name.empty(); ++tries) name = listenAt(listener, tries);
  if (name.empty()) return fail(Code::Internal, fmt::format("cannot make a gate: {}", std::strerror(errno)));
  return std::unique_ptr<Gate>(new Gate(std::move(name), std::move(listener), std::move(daemon), std::move(keeper)));
}

Gate::Gate(std::string name, Descriptor listener, Descriptor daemon, Keeper keeper)
    : name_(std::move(name)),
      listener_(std::move(listener)),
      daemon_(std::move(daemon)),
      leaving_(eventfd(0, EFD_CLOEXEC)),
      keeper_(std::move(keeper)),
      thread_([this] { serve(); }) {}

Gate::~Gate() {
  eventfd_write(leaving_.number(), 1);
  shutdown(daemon_.number(), SHUT_RDWR);
  thread_.join();
}

// A line that ends tells its side so at once.
void Gate::serve() {
  Descriptor client = admit(listener_.number(), leaving_.number());
  if (!client) return;
  client_ = client.number();
  std::array<pollfd, 3> awaited = {
      {{client_, POLLIN, 0}, {daemon_.number(), POLLIN, 0}, {leaving_.number(), POLLIN, 0}}};
  Passage passage = Passage::Open;
  while (passage == Passage::Open && poll(awaited.data(), awaited.size(), -1) > 0 && awaited[2].revents == 0) {
    if (awaited[0].revents != 0) passage = pass(From::Client);
    if (passage == Passage::Open && awaited[1].revents != 0) passage = pass(From::Daemon);
  }
  client = Descriptor();
  if (passage == Passage::Held) keepTheDaemonWaiting();
  shutdown(daemon_.number(), SHUT_RDWR);
}

Gate::Passage Gate::pass(From from) {
  const bool fromClient = from == From::Client;
  const std::string message = receiveMessage(fromClient ? client_ : daemon_.number());
  if (message.empty()) return Passage::Refused;
  const Passage passage = judge(from, message);
  if (passage != Passage::Open) return passage;
  return sendAll(fromClient ? daemon_.number() : client_, message) ? Passage::Open : Passage::Refused;
}

Gate::Passage Gate::judge(From from, const std::string& message) {
  if (from == From::Daemon) {
    const bool sentAll = isAbout(message, kPerform, kReply) && wordAt(message, offsetof(Header, status)) == kWell;
    return !sentAll || keeper_.mayGoOn() ? Passage::Open : Passage::Refused;
  }
  if (isAbout(message, kPerform, kCall)) keeper_.begins();
  if (!isAbout(message, kConfirm, kCall)) return Passage::Open;
  if (saysThatItFailed(message)) return Passage::Held;
  keeper_.hasGoneOn();
  return Passage::Open;
}

// A daemon hangs up on whoever does not answer its pings.
void Gate::keepTheDaemonWaiting() {
  std::array<pollfd, 2> awaited = {{{daemon_.number(), POLLIN, 0}, {leaving_.number(), POLLIN, 0}}};
  while (poll(awaited.data(), awaited.size(), -1) > 0 && awaited[1].revents == 0) {
    std::string message = receiveMessage(daemon_.number());
    if (message.empty()) return;
    if (wordAt(message, offsetof(Header, program)) != kKeepAlive) continue;
    const std::uint32_t pong = htonl(kPong);
    std::memcpy(message.data() + offsetof(Header, procedure), &pong, sizeof pong);
    if (!sendAll(daemon_.number(), message)) return;
  }
}

}  // namespace godwit::hypervisor::libvirt
