#pragma once

#include <functional>
#include <map>
#include <memory>
#include <thread>

#include "base/descriptor.hpp"
#include "base/mutex.hpp"
#include "base/result.hpp"

namespace godwit {

// A thread that waits for descriptors to become readable, and then calls whoever asked for it.
class Lookout {
 public:
  static Result<std::unique_ptr<Lookout>> start();
  // Returns when no call is under way any more.
  ~Lookout();
  Lookout(const Lookout&) = delete;
  Lookout& operator=(const Lookout&) = delete;

  // Calls `readable`, on the lookout's thread, again and again while there is something to read. From any thread.
  Result<> watch(int descriptor, std::function<void()> readable);
  // Before the descriptor is closed; only in a call from the lookout.
  void forget(int descriptor);

 private:
  Lookout(Descriptor epoll, Descriptor stop) : epoll_(std::move(epoll)), stop_(std::move(stop)) {}
  Result<> add(int descriptor);
  void run();
  void call(int descriptor);

  const Descriptor epoll_;
  const Descriptor stop_;  // readable once the thread is to end
  Mutex mutex_;
  std::map<int, std::function<void()>> calls_ GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace godwit
