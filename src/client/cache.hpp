#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/mutex.hpp"
#include "client/client.hpp"

namespace godwit::client {

// Keeps up with the objects of one kind: lists them, then watches. Never blocks; somebody
// calls pump() whenever there may be something to do.
class Reflector {
 public:
  Reflector(const Client& client, const schema::Kind& kind, ListOptions options)
      : client_(client), kind_(kind), options_(std::move(options)) {}
  virtual ~Reflector() = default;

  // Takes in what has happened. After an error the next call starts again with a list.
  Result<> pump();
  // Calls `wake` once, from any thread, when pump() has something to do; at once when it has not listed yet.
  void whenReady(std::function<void()> wake);
  // Whether everything there was has been seen once.
  bool synced() const { return synced_; }
  const schema::Kind& kind() const { return kind_; }

 protected:
  virtual void replaceAll(std::vector<object::Document> documents) = 0;
  virtual void put(const object::Document& document) = 0;
  virtual void remove(const object::Document& document) = 0;

 private:
  Result<> relist();

  const Client& client_;
  const schema::Kind& kind_;
  const ListOptions options_;
  std::unique_ptr<Watch> watch_;
  std::atomic<bool> synced_ = false;
};

// The objects of one kind as they were a moment ago, parsed once. Reading is safe from any thread.
template <class T>
class Cache final : public Reflector {
 public:
  using Pointer = std::shared_ptr<const T>;
  // Both for a change; only `after` for a new object; only `before` for one that is gone.
  using Listener = std::function<void(const T* before, const T* after)>;
  // The values under which an object is to be found.
  using Indexer = std::function<std::vector<std::string>(const T&)>;

  explicit Cache(const Client& client, ListOptions options = {})
      : Reflector(client, schema::kind<T>, std::move(options)) {}

  // Before the first pump().
  void onChange(Listener listener) { listeners_.push_back(std::move(listener)); }
  void addIndex(std::string name, Indexer indexer) { indexes_[std::move(name)].indexer = std::move(indexer); }

  Pointer get(const object::Key& key) const {
    const Lock lock(mutex_);
    const auto found = objects_.find(key);
    return found == objects_.end() ? nullptr : found->second;
  }

  std::vector<Pointer> list() const {
    const Lock lock(mutex_);
    std::vector<Pointer> all;
    all.reserve(objects_.size());
    for (const auto& [key, object] : objects_) all.push_back(object);
    return all;
  }

  // The first, in the order of their keys, of which `holds` is true, or null. It is asked under the cache's lock.
  template <class Predicate>
  Pointer findIf(const Predicate& holds) const {
    const Lock lock(mutex_);
    for (const auto& [key, object] : objects_)
      if (holds(*object)) return object;
    return nullptr;
  }

  // Those that the index has under `value`, in the order of their keys.
  std::vector<Pointer> by(const std::string& index, const std::string& value) const {
    const Lock lock(mutex_);
    std::vector<Pointer> found;
    const auto& entries = indexes_.at(index).entries;
    const auto entry = entries.find(value);
    if (entry == entries.end()) return found;
    for (const object::Key& key : entry->second) found.push_back(objects_.at(key));
    return found;
  }

 protected:
  void replaceAll(std::vector<object::Document> documents) override {
    std::map<object::Key, Pointer> gone = snapshot();
    for (const object::Document& document : documents) {
      gone.erase(object::keyOf(document));
      put(document);
    }
    for (const auto& [key, object] : gone) exchange(key, nullptr);
  }

  void put(const object::Document& document) override {
    exchange(object::keyOf(document), std::make_shared<const T>(schema::view<T>(document)));
  }

  void remove(const object::Document& document) override { exchange(object::keyOf(document), nullptr); }

 private:
  struct Index {
    Indexer indexer;
    std::unordered_map<std::string, std::set<object::Key>> entries;
  };

  std::map<object::Key, Pointer> snapshot() const {
    const Lock lock(mutex_);
    return objects_;
  }

  void exchange(const object::Key& key, Pointer after) {
    Pointer before;
    {
      const Lock lock(mutex_);
      const auto found = objects_.find(key);
      if (found != objects_.end()) before = found->second;
      reindex(key, before.get(), after.get());
      if (after)
        objects_[key] = after;
      else
        objects_.erase(key);
    }
    if (!before && !after) return;
    if (before && after && before->metadata.resourceVersion == after->metadata.resourceVersion) return;
    for (const Listener& listener : listeners_) listener(before.get(), after.get());
  }

  // Most changes are of nothing that an index knows.
  void reindex(const object::Key& key, const T* before, const T* after) REQUIRES(mutex_) {
    for (auto& [name, index] : indexes_) {
      const auto left = before ? index.indexer(*before) : std::vector<std::string>();
      const auto entered = after ? index.indexer(*after) : std::vector<std::string>();
      if (left == entered) continue;
      for (const std::string& value : left) leave(index, value, key);
      for (const std::string& value : entered) index.entries[value].insert(key);
    }
  }

  static void leave(Index& index, const std::string& value, const object::Key& key) {
    const auto entry = index.entries.find(value);
    if (entry == index.entries.end()) return;
    entry->second.erase(key);
    if (entry->second.empty()) index.entries.erase(entry);
  }

  mutable Mutex mutex_;
  std::map<object::Key, Pointer> objects_ GUARDED_BY(mutex_);
  std::map<std::string, Index> indexes_;  // the entries are guarded by mutex_
  std::vector<Listener> listeners_;
};

}  // namespace godwit::client
