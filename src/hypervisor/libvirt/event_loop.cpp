#include "hypervisor/libvirt/event_loop.hpp"

#include <utility>

#include "hypervisor/libvirt/handle.hpp"

namespace godwit::hypervisor::libvirt {

namespace {

constexpr int kNever = -1;
constexpr int kNow = 0;

// libvirt prints every error to stderr unless somebody takes it.
void saySilently(void*, virErrorPtr) {}

}  // namespace

Result<std::unique_ptr<EventLoop>> EventLoop::start() {
  virSetErrorFunc(nullptr, saySilently);
  if (virInitialize() < 0) return fail(lastError());
  if (virEventRegisterDefaultImpl() < 0) return fail(lastError());
  std::unique_ptr<EventLoop> loop(new EventLoop);
  loop->timer_ = virEventAddTimeout(kNever, wake, loop.get(), nullptr);
  if (loop->timer_ < 0) return fail(lastError());
  loop->thread_ = std::jthread([loop = loop.get()] { loop->run(); });
  return loop;
}

EventLoop::~EventLoop() {
  if (!thread_.joinable()) return;
  post([this] { stopping_ = true; });
  thread_.join();
  virEventRemoveTimeout(timer_);
}

void EventLoop::post(std::function<void()> work) {
  {
    const Lock lock(mutex_);
    posted_.push_back(std::move(work));
  }
  virEventUpdateTimeout(timer_, kNow);
}

void EventLoop::flush() {
  Mutex mutex;
  Signal changed;
  bool done = false;
  post([&] {
    const Lock lock(mutex);
    done = true;
    changed.notifyAll();
  });
  const Lock lock(mutex);
  changed.wait(mutex, [&] { return done; });
}

void EventLoop::wake(int timer, void* loop) {
  // Before the queue is looked at: what is posted from here on makes the timer due again.
  virEventUpdateTimeout(timer, kNever);
  static_cast<EventLoop*>(loop)->runPosted();
}

void EventLoop::runPosted() {
  std::deque<std::function<void()>> due;
  {
    const Lock lock(mutex_);
    due.swap(posted_);
  }
  for (const auto& work : due) work();
}

void EventLoop::run() {
  while (!stopping_) virEventRunDefaultImpl();
}

}  // namespace godwit::hypervisor::libvirt
