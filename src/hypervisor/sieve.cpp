#include "hypervisor/sieve.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/mutex.hpp"
#include "base/unix_socket.hpp"
#include "base/zeros.hpp"
#include "hypervisor/nbd.hpp"

namespace godwit::hypervisor {
namespace {

// Of the sieve's own requests, of which there is one at a time.
constexpr std::uint64_t kOwnHandle = 0x5349455645'5349ULL;
constexpr std::uint32_t kPiece = 1 << 20;

// Where a disk is known to hold nothing but zeros.
class Blanks {
 public:
  Blanks(std::uint64_t size, bool blank) : pieces_(size / kBytes + 1, blank) {}

  bool has(std::uint64_t offset, std::uint64_t length) const {
    for (std::uint64_t piece = offset / kBytes; piece * kBytes < offset + length; ++piece)
      if (piece >= pieces_.size() || !pieces_[piece]) return false;
    return true;
  }
  void noteData(std::uint64_t offset, std::uint64_t length) {
    for (std::uint64_t piece = offset / kBytes; piece * kBytes < offset + length && piece < pieces_.size(); ++piece)
      pieces_[piece] = false;
  }
  // Of a piece that is only touched, nothing is known of its rest.
  void noteZeros(std::uint64_t offset, std::uint64_t length) {
    for (std::uint64_t piece = (offset + kBytes - 1) / kBytes;
         (piece + 1) * kBytes <= offset + length && piece < pieces_.size(); ++piece)
      pieces_[piece] = true;
  }

 private:
  static constexpr std::uint64_t kBytes = 64 << 10;

  std::vector<bool> pieces_;
};

}  // namespace

// One client's, on two threads: what it asks goes one way, what the server answers the other.
class Sieve::Conversation {
 public:
  Conversation(Descriptor client, Descriptor server, const Disks& disks)
      : client_(std::move(client)), server_(std::move(server)), disks_(disks), thread_([this] { converse(); }) {}
  ~Conversation() { end(); }

 private:
  // Of the sieve's own request.
  struct Outcome {
    std::uint32_t error = 0;
    bool zeros = false;
  };

  void end() {
    shutdown(client_.number(), SHUT_RDWR);
    shutdown(server_.number(), SHUT_RDWR);
    const Lock lock(mutex_);
    ended_ = true;
    answered_.notifyAll();
  }

  void converse() {
    if (greet() && negotiate()) {
      const std::jthread answering([this] {
        while (passAnswer()) continue;
        end();
      });
      while (passRequest()) continue;
      end();
    }
    end();
  }

  bool pass(const Descriptor& from, const Descriptor& to, std::size_t size) {
    std::string bytes(size, '\0');
    return receiveAll(from.number(), bytes.data(), size) && sendAll(to.number(), bytes);
  }
  bool greet() { return pass(server_, client_, nbd::kGreetingBytes) && pass(client_, server_, nbd::kFlagsBytes); }

  // Until the client has chosen a disk. What would make the conversation one that cannot be followed is not offered.
  bool negotiate() {
    for (;;) {
      std::string wish(nbd::kOptionBytes, '\0');
      if (!receiveAll(client_.number(), wish.data(), wish.size())) return false;
      const auto option = nbd::wordAt<std::uint32_t>(wish, 8);
      const auto length = nbd::wordAt<std::uint32_t>(wish, 12);
      if (length > nbd::kLongestWord || option == nbd::kExportName) return false;
      wish.resize(nbd::kOptionBytes + length);
      if (!receiveAll(client_.number(), wish.data() + nbd::kOptionBytes, length)) return false;
      if (option == nbd::kStartTls || option == nbd::kStructured || option == nbd::kExtended) {
        if (!sendAll(client_.number(), refusalOf(option))) return false;
        continue;
      }
      if (!sendAll(server_.number(), wish) || option == nbd::kAbort) return false;
      const auto outcome = passAnswersToWish();
      if (!outcome) return false;
      if (option == nbd::kGo && *outcome == nbd::kAck) return choose(wish.substr(nbd::kOptionBytes));
    }
  }

  static std::string refusalOf(std::uint32_t option) {
    std::string answer;
    nbd::add(answer, nbd::kAnswerMagic);
    nbd::add(answer, option);
    nbd::add(answer, nbd::kUnsupported);
    nbd::add(answer, std::uint32_t(0));
    return answer;
  }

  // The last of them; nothing when the line has ended.
  std::optional<std::uint32_t> passAnswersToWish() {
    for (;;) {
      std::string answer(nbd::kAnswerBytes, '\0');
      if (!receiveAll(server_.number(), answer.data(), answer.size())) return std::nullopt;
      const auto kind = nbd::wordAt<std::uint32_t>(answer, 12);
      const auto length = nbd::wordAt<std::uint32_t>(answer, 16);
      if (length > nbd::kLongestWord) return std::nullopt;
      answer.resize(nbd::kAnswerBytes + length);
      if (!receiveAll(server_.number(), answer.data() + nbd::kAnswerBytes, length)) return std::nullopt;
      constexpr std::size_t kSizeAt = nbd::kAnswerBytes + sizeof nbd::kInfoExport;
      if (kind == nbd::kInfo && answer.size() >= kSizeAt + sizeof size_ &&
          nbd::wordAt<std::uint16_t>(answer, nbd::kAnswerBytes) == nbd::kInfoExport)
        size_ = nbd::wordAt<std::uint64_t>(answer, kSizeAt);
      if (!sendAll(client_.number(), answer)) return std::nullopt;
      if (kind == nbd::kAck || (kind & nbd::kErrorBit) != 0) return kind;
    }
  }

  bool choose(const std::string& about) {
    std::uint32_t length = 0;
    if (about.size() < sizeof length) return false;
    length = nbd::wordAt<std::uint32_t>(about, 0);
    if (about.size() < sizeof length + length) return false;
    const auto chosen = disks_.find(about.substr(sizeof length, length));
    if (chosen != disks_.end()) blanks_.emplace(size_, chosen->second);
    return true;
  }

  bool passRequest() {
    std::string message(nbd::kRequestBytes, '\0');
    if (!receiveAll(client_.number(), message.data(), message.size())) return false;
    const nbd::Request request = nbd::Request::in(message);
    if (nbd::wordAt<std::uint32_t>(message, 0) != nbd::kRequestMagic || request.handle == kOwnHandle) return false;
    if (request.deed == nbd::kWriteZeroes && blanks_ && (request.flags & nbd::kFast) == 0) return sieve(request);
    if (request.deed == nbd::kWrite) {
      if (request.length > nbd::kLongestData) return false;
      message.resize(nbd::kRequestBytes + request.length);
      if (!receiveAll(client_.number(), message.data() + nbd::kRequestBytes, request.length)) return false;
      if (blanks_ && isAllZeros(std::string_view(message).substr(nbd::kRequestBytes))) return sieve(request);
      if (blanks_) blanks_->noteData(request.offset, request.length);
    }
    if (request.deed == nbd::kRead) {
      const Lock lock(mutex_);
      reads_[request.handle] = request.length;
    }
    return sendAll(server_.number(), message) && request.deed != nbd::kDisconnect;
  }

  // Whether they come as such or as data. Nobody writes to where somebody is about to write zeros. Whether holes may be
  // made is the client's wish too, and it is not asked: it could not know that they are all the same to who reads them.
  bool sieve(const nbd::Request& request) {
    std::uint32_t error = 0;
    for (std::uint64_t done = 0; done < request.length && error == 0; done += kPiece) {
      nbd::Request piece = request;
      piece.offset += done;
      piece.length = static_cast<std::uint32_t>(std::min<std::uint64_t>(kPiece, request.length - done));
      if (blanks_->has(piece.offset, piece.length)) continue;
      const auto outcome = makeZeros(piece);
      if (!outcome) return false;
      error = outcome->error;
      if (error == 0) blanks_->noteZeros(piece.offset, piece.length);
    }
    return answer(nbd::replyTo(request.handle, error));
  }

  std::optional<Outcome> makeZeros(const nbd::Request& request) {
    const auto found = ask({.deed = nbd::kRead, .offset = request.offset, .length = request.length});
    if (!found || (found->error == 0 && found->zeros)) return found;
    return ask({.flags = request.flags, .deed = nbd::kWriteZeroes, .offset = request.offset, .length = request.length});
  }

  // Nothing when the line has ended.
  std::optional<Outcome> ask(nbd::Request request) {
    request.handle = kOwnHandle;
    {
      const Lock lock(mutex_);
      outcome_.reset();
      reads_.erase(kOwnHandle);
      if (request.deed == nbd::kRead) reads_[kOwnHandle] = request.length;
    }
    if (!sendAll(server_.number(), request.words())) return std::nullopt;
    const Lock lock(mutex_);
    answered_.wait(mutex_, [&]() REQUIRES(mutex_) { return outcome_ || ended_; });
    return outcome_;
  }

  bool passAnswer() {
    std::string message(nbd::kReplyBytes, '\0');
    if (!receiveAll(server_.number(), message.data(), message.size())) return false;
    if (nbd::wordAt<std::uint32_t>(message, 0) != nbd::kReplyMagic) return false;
    const auto error = nbd::wordAt<std::uint32_t>(message, 4);
    const auto handle = nbd::wordAt<std::uint64_t>(message, 8);
    const std::uint32_t read = readOf(handle);
    std::string data(error == 0 ? read : 0, '\0');
    if (!receiveAll(server_.number(), data.data(), data.size())) return false;
    if (handle != kOwnHandle) return answer(message + data);
    const Lock lock(mutex_);
    outcome_ = Outcome{.error = error, .zeros = isAllZeros(data)};
    answered_.notifyAll();
    return true;
  }

  // How many bytes of data the answer to that has.
  std::uint32_t readOf(std::uint64_t handle) {
    const Lock lock(mutex_);
    const auto found = reads_.find(handle);
    return found == reads_.end() ? 0 : reads_.extract(found).mapped();
  }

  bool answer(const std::string& message) {
    const Lock lock(answering_);
    return sendAll(client_.number(), message);
  }

  const Descriptor client_;
  const Descriptor server_;
  const Disks& disks_;
  std::uint64_t size_ = 0;
  std::optional<Blanks> blanks_;  // of a disk that is sieved
  Mutex answering_;               // held by whoever speaks to the client
  Mutex mutex_;
  Signal answered_;
  bool ended_ GUARDED_BY(mutex_) = false;
  std::map<std::uint64_t, std::uint32_t> reads_ GUARDED_BY(mutex_);  // that are not answered yet
  std::optional<Outcome> outcome_ GUARDED_BY(mutex_);
  std::jthread thread_;
};

Result<std::unique_ptr<Sieve>> Sieve::open(const std::string& socket, std::vector<Descriptor> lines, Disks disks) {
  const sockaddr_un address = TRY(addressOf(socket));
  Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ::unlink(socket.c_str());
  // Nobody comes in before it listens.
  if (bind(listener.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) < 0 ||
      chmod(socket.c_str(), S_IRUSR | S_IWUSR) < 0 || listen(listener.number(), static_cast<int>(lines.size())) < 0)
    return fail(Code::Internal, fmt::format("cannot listen at {}: {}", socket, std::strerror(errno)));
  return std::unique_ptr<Sieve>(new Sieve(socket, std::move(listener), std::move(lines), std::move(disks)));
}

Sieve::Sieve(std::string socket, Descriptor listener, std::vector<Descriptor> lines, Disks disks)
    : socket_(std::move(socket)),
      leaving_(eventfd(0, EFD_CLOEXEC)),
      listener_(std::move(listener)),
      lines_(std::move(lines)),
      disks_(std::move(disks)),
      thread_([this] { admitAll(); }) {}

Sieve::~Sieve() {
  eventfd_write(leaving_.number(), 1);
  thread_.join();
}

void Sieve::admitAll() {
  std::array<pollfd, 2> awaited = {{{listener_.number(), POLLIN, 0}, {leaving_.number(), POLLIN, 0}}};
  for (Descriptor& line : lines_) {
    if (poll(awaited.data(), awaited.size(), -1) < 0 || awaited[1].revents != 0) break;
    Descriptor client(accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (client) conversations_.push_back(std::make_unique<Conversation>(std::move(client), std::move(line), disks_));
  }
  ::unlink(socket_.c_str());
  listener_ = Descriptor();
}

}  // namespace godwit::hypervisor
