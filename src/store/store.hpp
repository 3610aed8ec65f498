#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

// A versioned map with watch. Every write gets the next revision; readers see a
// write only once it is durable (as durable as the implementation is).
namespace godwit::store {

using Revision = std::int64_t;
using Value = std::shared_ptr<const std::string>;

struct Entry {
  std::string key;
  Value value;
  Revision revision = 0;  // of its last change
};

struct Listing {
  std::vector<Entry> entries;  // in key order
  Revision revision = 0;       // of the whole store when it was read
  bool more = false;           // cut short by the limit
};

struct Change {
  enum class Type { Created, Replaced, Removed };
  Type type = Type::Created;
  std::string key;
  Value value;     // after the change; what was removed, for Removed
  Value previous;  // before the change; null for Created
  Revision revision = 0;
};

// Changes below a prefix, in revision order, without gaps. Destroy it to stop watching.
class Watch {
 public:
  virtual ~Watch() = default;

  // What has happened since the last call; empty when nothing has. Code::Gone when
  // the watcher fell too far behind: list again, and watch from there.
  virtual Result<std::vector<Change>> take() = 0;

  // Calls `wake` once, from any thread, as soon as take() has something to say;
  // at once if it already has. One `wake` at a time: a new one replaces the old.
  // It may not write to the store, and may still run while the watch is being destroyed.
  virtual void whenReady(std::function<void()> wake) = 0;
};

class Store {
 public:
  virtual ~Store() = default;

  virtual Result<Entry> get(std::string_view key) = 0;
  // Entries whose key starts with `prefix` and is greater than `after`; limit 0 means all.
  virtual Result<Listing> list(std::string_view prefix, std::size_t limit = 0, std::string_view after = {}) = 0;
  virtual Revision revision() = 0;

  // AlreadyExists when the key is taken.
  virtual Result<Revision> create(std::string_view key, std::string value) = 0;
  // NotFound when there is none, Conflict when it is not at `expected` any more.
  virtual Result<Revision> replace(std::string_view key, std::string value, Revision expected) = 0;
  virtual Result<Revision> remove(std::string_view key, Revision expected) = 0;

  // Changes after `since`. Code::Gone when they are no longer all remembered.
  virtual Result<std::unique_ptr<Watch>> watch(std::string_view prefix, Revision since) = 0;
};

}  // namespace godwit::store
