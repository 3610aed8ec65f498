#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <stop_token>

#include "base/clock.hpp"
#include "base/mutex.hpp"

namespace godwit::control {

// Keys that need another look, now or later. A key is queued at most once, and is never handed
// out while somebody still works on it; adding it meanwhile queues it for afterwards.
template <class Key>
class WorkQueue {
 public:
  explicit WorkQueue(const Clock& clock) : clock_(clock) {}

  void add(const Key& key) {
    const Lock lock(mutex_);
    makeReady(key);
  }

  // An earlier date for the same key stands.
  void addAt(const Key& key, Timestamp due) {
    const Lock lock(mutex_);
    const auto [entry, fresh] = due_.try_emplace(key, due);
    if (!fresh && entry->second <= due) return;
    if (!fresh) later_.erase({entry->second, key});
    entry->second = due;
    later_.insert({due, key});
    changed_.notifyOne();
  }

  // The next key, or nothing once `stop` is requested.
  std::optional<Key> take(std::stop_token stop) {
    const Lock lock(mutex_);
    while (!stop.stop_requested()) {
      promoteDue();
      if (!ready_.empty()) return handOut(0);
      const auto someIsReady = [&]() REQUIRES(mutex_) { return !ready_.empty(); };
      if (later_.empty())
        changed_.wait(mutex_, stop, [&] { return !ready_.empty() || !later_.empty(); });
      else
        changed_.waitFor(mutex_, stop, later_.begin()->first - clock_.now(), someIsReady);
    }
    return std::nullopt;
  }

  // A key that is ready now, or nothing. Which of them is the caller's choice.
  std::optional<Key> tryTake(std::size_t choice = 0) {
    const Lock lock(mutex_);
    promoteDue();
    if (ready_.empty()) return std::nullopt;
    return handOut(choice % ready_.size());
  }

  void done(const Key& key) {
    const Lock lock(mutex_);
    working_.erase(key);
    if (!waiting_.contains(key)) return;
    ready_.push_back(key);
    changed_.notifyOne();
  }

  bool idle() const {
    const Lock lock(mutex_);
    return ready_.empty() && (later_.empty() || later_.begin()->first > clock_.now());
  }

  // When the next key will be ready that is not yet, if there is one.
  std::optional<Timestamp> nextDue() const {
    const Lock lock(mutex_);
    if (later_.empty()) return std::nullopt;
    return later_.begin()->first;
  }

 private:
  void makeReady(const Key& key) REQUIRES(mutex_) {
    if (!waiting_.insert(key).second || working_.contains(key)) return;
    ready_.push_back(key);
    changed_.notifyOne();
  }

  void promoteDue() REQUIRES(mutex_) {
    const Timestamp now = clock_.now();
    while (!later_.empty() && later_.begin()->first <= now) {
      const Key key = later_.begin()->second;
      later_.erase(later_.begin());
      due_.erase(key);
      makeReady(key);
    }
  }

  Key handOut(std::size_t index) REQUIRES(mutex_) {
    const auto chosen = ready_.begin() + static_cast<std::ptrdiff_t>(index);
    Key key = *chosen;
    ready_.erase(chosen);
    waiting_.erase(key);
    working_.insert(key);
    return key;
  }

  const Clock& clock_;
  mutable Mutex mutex_;
  Signal changed_;
  std::deque<Key> ready_ GUARDED_BY(mutex_);
  std::set<Key> waiting_ GUARDED_BY(mutex_);  // in ready_, or due when done() is called
  std::set<Key> working_ GUARDED_BY(mutex_);
  std::set<std::pair<Timestamp, Key>> later_ GUARDED_BY(mutex_);
  std::map<Key, Timestamp> due_ GUARDED_BY(mutex_);  // when a key stands in later_
};

}  // namespace godwit::control
