#include "base/lookout.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace godwit {
namespace {

Failure failed() { return fail(Code::Internal, fmt::format("cannot watch a descriptor: {}", std::strerror(errno))); }

}  // namespace

Result<std::unique_ptr<Lookout>> Lookout::start() {
  Descriptor epoll(epoll_create1(EPOLL_CLOEXEC));
  if (!epoll) return failed();
  Descriptor stop(eventfd(0, EFD_CLOEXEC));
  if (!stop) return failed();
  std::unique_ptr<Lookout> lookout(new Lookout(std::move(epoll), std::move(stop)));
  TRY(lookout->add(lookout->stop_.number()));
  lookout->thread_ = std::jthread([raw = lookout.get()] { raw->run(); });
  return lookout;
}

Lookout::~Lookout() { eventfd_write(stop_.number(), 1); }

Result<> Lookout::watch(int descriptor, std::function<void()> readable) {
  const Lock lock(mutex_);
  TRY(add(descriptor));
  calls_[descriptor] = std::move(readable);
  return {};
}

void Lookout::forget(int descriptor) {
  const Lock lock(mutex_);
  epoll_ctl(epoll_.number(), EPOLL_CTL_DEL, descriptor, nullptr);
  calls_.erase(descriptor);
}

Result<> Lookout::add(int descriptor) {
  epoll_event event = {};
  event.events = EPOLLIN;
  event.data.fd = descriptor;
  if (epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, descriptor, &event) != 0) return failed();
  return {};
}

void Lookout::run() {
  for (;;) {
    epoll_event event = {};
    const int count = epoll_wait(epoll_.number(), &event, 1, -1);
    if (count == 1 && event.data.fd == stop_.number()) return;
    if (count == 1) call(event.data.fd);
  }
}

void Lookout::call(int descriptor) {
  std::function<void()> readable;
  {
    const Lock lock(mutex_);
    const auto found = calls_.find(descriptor);
    if (found != calls_.end()) readable = found->second;
  }
  if (readable) readable();
}

}  // namespace godwit
