#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/mutex.hpp"
#include "client/cache.hpp"

namespace godwit::metrics {

// Keeps up with the objects of one kind, and remembers of each only what a Row has of it.
template <class Row>
class Ledger final : public client::Reflector {
 public:
  using Reader = Row (*)(const object::Document&);
  // Both rows for a change; only `after` for a new object; only `before` for one that is gone.
  using Listener = std::function<void(const object::Key& key, const Row* before, const Row* after)>;

  Ledger(const client::Client& api, const schema::Kind& kind, Reader read, Listener listener)
      : Reflector(api, kind, {}), read_(read), listener_(std::move(listener)) {}

  // Every row, in the order of the keys. `visit` is called under the ledger's lock.
  template <class Visit>
  void each(const Visit& visit) const {
    const Lock lock(mutex_);
    for (const auto& [key, row] : rows_) visit(key, row);
  }

 protected:
  void replaceAll(std::vector<object::Document> documents) override {
    std::set<object::Key> gone;
    each([&](const object::Key& key, const Row&) { gone.insert(key); });
    for (const object::Document& document : documents) {
      gone.erase(object::keyOf(document));
      put(document);
    }
    for (const object::Key& key : gone) exchange(key, std::nullopt);
  }

  void put(const object::Document& document) override { exchange(object::keyOf(document), read_(document)); }

  void remove(const object::Document& document) override { exchange(object::keyOf(document), std::nullopt); }

 private:
  void exchange(const object::Key& key, const std::optional<Row>& after) {
    std::optional<Row> before;
    {
      const Lock lock(mutex_);
      if (const auto found = rows_.find(key); found != rows_.end()) before = std::move(found->second);
      if (after)
        rows_.insert_or_assign(key, *after);
      else
        rows_.erase(key);
    }
    if (before || after) listener_(key, before ? &*before : nullptr, after ? &*after : nullptr);
  }

  const Reader read_;
  const Listener listener_;
  mutable Mutex mutex_;
  std::map<object::Key, Row> rows_ GUARDED_BY(mutex_);
};

}  // namespace godwit::metrics
