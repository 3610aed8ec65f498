#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <thread>

#include "base/mutex.hpp"
#include "base/result.hpp"

namespace godwit::hypervisor::libvirt {

// The thread on which libvirt delivers its events and keeps its connections alive. A process
// has at most one at a time, made before its first connection and ended after its last.
class EventLoop {
 public:
  static Result<std::unique_ptr<EventLoop>> start();
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Runs `work` on the loop's thread, in the order of the calls. It must not wait for anything.
  void post(std::function<void()> work);
  // Returns when what the loop was about before the call is done. Not for the loop's own thread.
  void flush();

 private:
  EventLoop() = default;
  static void wake(int timer, void* loop);
  void runPosted();
  void run();

  int timer_ = -1;         // never due by itself; made due to wake the loop
  bool stopping_ = false;  // only the loop's thread looks at it
  Mutex mutex_;
  std::deque<std::function<void()>> posted_ GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace godwit::hypervisor::libvirt
