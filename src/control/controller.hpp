#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "client/cache.hpp"
#include "control/work_queue.hpp"
#include "object/document.hpp"

namespace godwit::control {

// When to look at the same object again without being called; never by default.
struct Again {
  std::optional<Duration> after = std::nullopt;
};

// Makes the world agree with one object. Remembers nothing between two calls that the
// objects themselves do not say: after a restart the next pass does the same thing.
class Reconciler {
 public:
  virtual ~Reconciler() = default;
  virtual Result<Again> reconcile(const object::Key& key) = 0;
};

// A reconciler and the keys that wait for it. A failed pass is repeated with growing patience.
class Controller {
 public:
  Controller(std::string name, Reconciler& reconciler, const Clock& clock)
      : name_(std::move(name)), reconciler_(reconciler), clock_(clock), queue_(clock) {}

  void enqueue(const object::Key& key) { queue_.add(key); }
  void enqueueAfter(const object::Key& key, Duration time) {
    queue_.addAt(key, clock_.now() + std::chrono::duration_cast<Timestamp::duration>(time));
  }

  // Looks at whatever is of the same name as an object that comes, changes or goes.
  template <class T>
  void follow(client::Cache<T>& cache) {
    cache.onChange([this](const T* before, const T* after) { enqueue((after ? after : before)->metadata.key()); });
  }

  // One pass over one key that is ready; false when none is.
  bool passOnce(std::size_t choice = 0);
  // One pass after another, until told to stop. Several threads may do this at once.
  void work(std::stop_token stop);

  const std::string& name() const { return name_; }
  bool idle() const { return queue_.idle(); }
  std::optional<Timestamp> nextDue() const { return queue_.nextDue(); }

 private:
  void pass(const object::Key& key);
  Duration patience(const object::Key& key);

  const std::string name_;
  Reconciler& reconciler_;
  const Clock& clock_;
  WorkQueue<object::Key> queue_;
  Mutex mutex_;
  std::map<object::Key, int> failures_ GUARDED_BY(mutex_);  // in a row
};

}  // namespace godwit::control
