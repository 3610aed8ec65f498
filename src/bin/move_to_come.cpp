#include "bin/move_to_come.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <filesystem>

#include "base/clock.hpp"
#include "base/failed_to.hpp"
#include "base/log.hpp"
#include "mover/mover.hpp"

namespace godwit::bin {
namespace {

using namespace std::chrono_literals;

namespace libvirt = hypervisor::libvirt;

constexpr Duration kOrdersComeWithin = 20s;

}  // namespace

// A network can be cut, and whoever gives up a move shall hear of it soon: nobody waits long for the other side.
libvirt::LibvirtConfig targetOf(const mover::Orders& orders) {
  if (orders.address.empty()) return {.uri = orders.targetUri};
  return {.uri = orders.targetUri, .openPatience = 2s, .keepAliveInterval = 1s, .keepAliveCount = 4};
}

MoveToCome::MoveToCome(libvirt::EventLoop& events, const std::string& sourceUri) : events_(events) {
  if (sourceUri.empty()) return;
  source = {{.uri = sourceUri}, libvirt::connectLater(events, {.uri = sourceUri})};
  (void)source.hypervisor->runStateOf("");
}

Result<std::optional<Papers>> MoveToCome::await() {
  DirectoryWatch& watch = watch_.emplace(TRY(DirectoryWatch::open()));
  const SystemClock clock;
  std::optional<Timestamp> begin;
  for (bool told = true;;) {
    if (papers_ && !begin) {
      begin = clock.now();
      TRY(watch.add(std::filesystem::path(papers_->directory).parent_path()));
    }
    if (papers_) (void)watch.add(papers_->directory);  // once it is there
    if (papers_ && std::filesystem::exists(papers_->orders())) return papers_;
    if (!told) return std::nullopt;
    const auto left = begin ? std::chrono::ceil<std::chrono::milliseconds>(kOrdersComeWithin - (clock.now() - *begin))
                            : std::chrono::milliseconds(-1);
    if (begin && left <= 0ms) return std::nullopt;
    pollfd news[] = {{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0},
                     {.fd = watch.descriptor(), .events = POLLIN, .revents = 0}};
    ::poll(news, std::size(news), static_cast<int>(left.count()));
    if (news[0].revents != 0) told = TRY(listen());
    if (news[1].revents != 0) watch.take();
  }
}

// False when there is nothing more to hear.
Result<bool> MoveToCome::listen() {
  std::array<char, 4096> buffer;
  const ssize_t length = ::read(STDIN_FILENO, buffer.data(), buffer.size());
  if (length < 0) return failedTo("read", "standard input");
  unfinished_.append(buffer.data(), static_cast<std::size_t>(length));
  for (std::size_t end = 0; (end = unfinished_.find('\n')) != std::string::npos; unfinished_.erase(0, end + 1))
    hear(unfinished_.substr(0, end));
  return length > 0;
}

void MoveToCome::hear(const std::string& words) {
  if (!papers_) {
    papers_ = Papers{words};
    return;
  }
  if (const auto draft = mover::parseOrders(words))
    prepare(*draft);
  else
    log::warn("a draft of the orders cannot be read: {}", draft.error().message);
}

// The other side may be slow, or not there at all: the orders are not kept waiting for it.
void MoveToCome::prepare(const mover::Orders& draft) {
  const libvirt::LibvirtConfig wanted = targetOf(draft);
  if (!source.hypervisor || target.isAt(wanted)) return;
  target = {wanted, libvirt::connectLater(events_, wanted)};
  lacking = std::async(std::launch::async, [from = source.hypervisor, to = target.hypervisor, domain = draft.domain] {
    return mover::lackingFeatures(*from, *to, domain);
  });
}

}  // namespace godwit::bin
