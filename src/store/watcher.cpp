#include "store/watcher.hpp"

#include <utility>

namespace godwit::store {

Watcher::Wake Watcher::offer(const std::shared_ptr<const Change>& change) {
  if (change->revision <= interest_.since || !change->key.starts_with(interest_.prefix)) return {};
  const Lock lock(mutex_);
  if (fellBehind_) return {};
  if (waiting_.size() == interest_.capacity) {
    fellBehind_ = true;
    waiting_.clear();
  } else {
    waiting_.push_back(change);
  }
  return std::exchange(wake_, {});
}

Result<std::vector<Change>> Watcher::take() {
  std::deque<std::shared_ptr<const Change>> taken;
  {
    const Lock lock(mutex_);
    if (fellBehind_) return fail(Code::Gone, "the watcher fell too far behind");
    taken.swap(waiting_);
  }
  std::vector<Change> changes;
  changes.reserve(taken.size());
  for (const auto& change : taken) changes.push_back(*change);
  return changes;
}

void Watcher::whenReady(Wake wake) {
  Wake replaced;  // outlives the lock: what it holds may have a destructor of any kind
  {
    const Lock lock(mutex_);
    replaced = std::exchange(wake_, {});
    if (!fellBehind_ && waiting_.empty()) {
      wake_ = std::move(wake);
      return;
    }
  }
  if (wake) wake();
}

}  // namespace godwit::store
