#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.hpp"
#include "base/result.hpp"
#include "store/operation.hpp"
#include "store/store.hpp"
#include "store/watcher.hpp"

namespace godwit::store {

// What every store shows: its entries, their latest changes, and those who watch them. Safe to
// use from several threads; wakes run on the thread that writes, with no lock held.
class VersionedMap {
 public:
  // Remembers the latest `remembered` changes, and lets a watcher fall behind by as many.
  // What happened up to `start.revision` is not remembered.
  explicit VersionedMap(std::size_t remembered, Listing start = {});

  std::optional<Entry> find(std::string_view key) const;
  Listing list(std::string_view prefix, std::size_t limit, std::string_view after) const;
  Revision revision() const;
  Result<std::unique_ptr<Watch>> watch(std::string_view prefix, Revision since);

  // Decides `operation` and shows the change in one step.
  Result<Revision> write(const Operation& operation);
  // Shows changes decided elsewhere; they continue the revisions without a gap.
  void show(const std::vector<Change>& changes);

 private:
  struct Version {
    Value value;
    Revision revision = 0;
  };
  using Wakes = std::vector<Watcher::Wake>;

  std::optional<Entry> lookUp(std::string_view key) const REQUIRES(mutex_);
  void apply(const Change& change, Wakes& due) REQUIRES(mutex_);
  void remember(std::shared_ptr<const Change> change) REQUIRES(mutex_);
  void tellWatchers(const std::shared_ptr<const Change>& change, Wakes& due) REQUIRES(mutex_);

  const std::size_t remembered_;
  mutable Mutex mutex_;
  std::map<std::string, Version, std::less<>> versions_ GUARDED_BY(mutex_);
  Revision revision_ GUARDED_BY(mutex_) = 0;
  Revision forgotten_ GUARDED_BY(mutex_) = 0;  // changes up to here are no longer in latest_
  std::deque<std::shared_ptr<const Change>> latest_ GUARDED_BY(mutex_);
  std::vector<std::weak_ptr<Watcher>> watchers_ GUARDED_BY(mutex_);
};

}  // namespace godwit::store
