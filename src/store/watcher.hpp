#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "base/result.hpp"
#include "store/store.hpp"

namespace godwit::store {

// The changes that one watcher has not taken yet; it is never waited for. Safe to use from several threads.
class Watcher {
 public:
  using Wake = std::function<void()>;

  struct Interest {
    std::string prefix;
    Revision since = 0;
    std::size_t capacity = 0;  // one change more, and the watcher has fallen behind for good
  };

  explicit Watcher(Interest interest) : interest_(std::move(interest)) {}

  // Queues `change` if it is of interest. Returns the wake that is due now, for the caller
  // to call once it holds no lock; empty when none is.
  Wake offer(const std::shared_ptr<const Change>& change);

  Result<std::vector<Change>> take();
  void whenReady(Wake wake);

 private:
  const Interest interest_;
  Mutex mutex_;
  std::deque<std::shared_ptr<const Change>> waiting_ GUARDED_BY(mutex_);
  bool fellBehind_ GUARDED_BY(mutex_) = false;
  Wake wake_ GUARDED_BY(mutex_);
};

}  // namespace godwit::store
