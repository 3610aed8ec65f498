#include "store/versioned_map.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace godwit::store {
namespace {

// Owns the watcher; the map only knows it for as long as this lives.
class OwnedWatch final : public Watch {
 public:
  explicit OwnedWatch(std::shared_ptr<Watcher> watcher) : watcher_(std::move(watcher)) {}

  Result<std::vector<Change>> take() override { return watcher_->take(); }
  void whenReady(std::function<void()> wake) override { watcher_->whenReady(std::move(wake)); }

 private:
  std::shared_ptr<Watcher> watcher_;
};

void callEach(const std::vector<Watcher::Wake>& wakes) {
  for (const auto& wake : wakes) wake();
}

}  // namespace

VersionedMap::VersionedMap(std::size_t remembered, Listing start)
    : remembered_(remembered), revision_(start.revision), forgotten_(start.revision) {
  for (Entry& entry : start.entries)
    versions_.emplace_hint(versions_.end(), std::move(entry.key), Version{std::move(entry.value), entry.revision});
}

std::optional<Entry> VersionedMap::find(std::string_view key) const {
  const Lock lock(mutex_);
  return lookUp(key);
}

Listing VersionedMap::list(std::string_view prefix, std::size_t limit, std::string_view after) const {
  const Lock lock(mutex_);
  Listing listing{{}, revision_, false};
  auto at = after < prefix || after.empty() ? versions_.lower_bound(prefix) : versions_.upper_bound(after);
  for (; at != versions_.end() && at->first.starts_with(prefix); ++at) {
    if (limit != 0 && listing.entries.size() == limit) {
      listing.more = true;
      break;
    }
    listing.entries.push_back({at->first, at->second.value, at->second.revision});
  }
  return listing;
}

Revision VersionedMap::revision() const {
  const Lock lock(mutex_);
  return revision_;
}

Result<std::unique_ptr<Watch>> VersionedMap::watch(std::string_view prefix, Revision since) {
  auto watcher = std::make_shared<Watcher>(Watcher::Interest{std::string(prefix), since, remembered_});
  const Lock lock(mutex_);
  if (since < forgotten_)
    return fail(Code::Gone, fmt::format("changes after revision {} are no longer all remembered; the oldest is {}",
                                        since, forgotten_ + 1));
  for (const auto& change : latest_) watcher->offer(change);
  watchers_.push_back(watcher);
  return std::make_unique<OwnedWatch>(std::move(watcher));
}

Result<Revision> VersionedMap::write(const Operation& operation) {
  Wakes due;
  Revision written = 0;
  {
    const Lock lock(mutex_);
    const Change change = TRY(decide(operation, lookUp(operation.key), revision_ + 1));
    apply(change, due);
    written = change.revision;
  }
  callEach(due);
  return written;
}

void VersionedMap::show(const std::vector<Change>& changes) {
  Wakes due;
  {
    const Lock lock(mutex_);
    for (const Change& change : changes) apply(change, due);
  }
  callEach(due);
}

std::optional<Entry> VersionedMap::lookUp(std::string_view key) const {
  const auto found = versions_.find(key);
  if (found == versions_.end()) return std::nullopt;
  return Entry{found->first, found->second.value, found->second.revision};
}

void VersionedMap::apply(const Change& change, Wakes& due) {
  ENSURE(change.revision == revision_ + 1, "revisions have no gaps");
  revision_ = change.revision;
  if (change.type == Change::Type::Removed)
    versions_.erase(change.key);
  else
    versions_.insert_or_assign(change.key, Version{change.value, change.revision});

  const auto shared = std::make_shared<const Change>(change);
  tellWatchers(shared, due);
  remember(shared);
}

void VersionedMap::remember(std::shared_ptr<const Change> change) {
  latest_.push_back(std::move(change));
  if (latest_.size() <= remembered_) return;
  forgotten_ = latest_.front()->revision;
  latest_.pop_front();
}

void VersionedMap::tellWatchers(const std::shared_ptr<const Change>& change, Wakes& due) {
  bool someLeft = false;
  for (const auto& known : watchers_) {
    const auto watcher = known.lock();
    if (!watcher) {
      someLeft = true;
    } else if (auto wake = watcher->offer(change)) {
      due.push_back(std::move(wake));
    }
  }
  if (someLeft) std::erase_if(watchers_, [](const auto& known) { return known.expired(); });
}

}  // namespace godwit::store
