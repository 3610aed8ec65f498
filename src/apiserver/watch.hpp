#pragma once

#include <array>
#include <deque>
#include <map>
#include <memory>

#include "apiserver/rendering.hpp"
#include "apiserver/selection.hpp"
#include "base/mutex.hpp"
#include "http/message.hpp"
#include "store/store.hpp"

// Watches: the store's changes as a stream of JSON lines.
namespace godwit::apiserver {

enum class EventType { Added, Modified, Deleted };

// The lines of recent events, shared by all watches: an event is turned into text once, however many watch it.
class EventLines {
 public:
  // `stored` must follow from the revision and the type, as it does in a store.
  http::Chunk lineOf(EventType type, std::string_view stored, store::Revision revision);

 private:
  using EventKey = std::pair<store::Revision, EventType>;

  Mutex mutex_;
  std::map<EventKey, http::Chunk> lines_ GUARDED_BY(mutex_);
  std::deque<EventKey> order_ GUARDED_BY(mutex_);  // oldest first
};

struct WatchRequest {
  const Resource& resource;
  std::string_view nameSpace;
  const http::Query& query;
  Rendering rendering;
};

// Answers a watch: a response with a stream, or why there is none. What is too old is told in the stream.
Result<http::Response> openWatch(store::Store& store, std::shared_ptr<EventLines> lines, const WatchRequest& request);

}  // namespace godwit::apiserver
