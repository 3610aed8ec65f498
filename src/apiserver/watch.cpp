#include "apiserver/watch.hpp"

#include <optional>

#include <fmt/format.h>

#include "apiserver/location.hpp"
#include "apiserver/status.hpp"
#include "apiserver/stored.hpp"

namespace godwit::apiserver {
namespace {

// Enough for the watches that keep up; one that lags makes its lines anew.
constexpr std::size_t kLinesKept = 1024;

constexpr std::string_view wordOf(EventType type) {
  switch (type) {
    case EventType::Added:
      return "ADDED";
    case EventType::Modified:
      return "MODIFIED";
    case EventType::Deleted:
      return "DELETED";
  }
  __builtin_unreachable();
}

http::Chunk chunk(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

http::Chunk lineWith(std::string_view type, std::string_view object) {
  return chunk(fmt::format("{{\"type\":\"{}\",\"object\":{}}}\n", type, object));
}

http::Chunk plainLine(EventType type, std::string_view stored, store::Revision revision) {
  std::string text = fmt::format("{{\"type\":\"{}\",\"object\":", wordOf(type));
  text.reserve(text.size() + stored.size() + 48);
  appendOpened(text, stored, revision);
  text += "}\n";
  return chunk(std::move(text));
}

http::Chunk errorLine(const Error& error) { return lineWith("ERROR", json::serialize(statusOf(error, {}))); }

// Tells that all objects which were there at `revision` have been sent.
http::Chunk bookmarkLine(const Resource& resource, store::Revision revision) {
  return lineWith("BOOKMARK", fmt::format(R"({{"kind":"{}","apiVersion":"{}","metadata":{{"resourceVersion":"{}",)"
                                          R"("annotations":{{"k8s.io/initial-events-end":"true"}}}}}})",
                                          resource.kind().name, resource.apiVersion, revision));
}

// What a change is to somebody who sees only the selected objects; nothing when it does not concern them.
struct Event {
  EventType type;
  store::Value stored;
};

Result<bool> selects(const Selection& selection, const store::Value& stored, store::Revision revision) {
  if (!stored || selection.everything()) return stored != nullptr;
  return selection.matches(TRY(opened(*stored, revision)));
}

Result<std::optional<Event>> eventFor(const Selection& selection, const store::Change& change) {
  if (change.type == store::Change::Type::Removed) {
    if (!TRY(selects(selection, change.value, change.revision))) return std::nullopt;
    return Event{EventType::Deleted, change.value};
  }
  const bool before = TRY(selects(selection, change.previous, change.revision));
  const bool after = TRY(selects(selection, change.value, change.revision));
  if (before && after) return Event{EventType::Modified, change.value};
  if (after) return Event{EventType::Added, change.value};
  if (before) return Event{EventType::Deleted, change.previous};
  return std::nullopt;
}

class WatchStream final : public http::Stream {
 public:
  // Without a watch the stream ends after what is already known.
  WatchStream(std::vector<http::Chunk> known, std::unique_ptr<store::Watch> watch, std::shared_ptr<EventLines> lines,
              Rendering rendering, Selection selection)
      : pending_(std::move(known)),
        watch_(std::move(watch)),
        lines_(std::move(lines)),
        rendering_(rendering),
        selection_(std::move(selection)) {}

  Taken take() override {
    Taken taken;
    taken.chunks = std::exchange(pending_, {});
    if (watch_) {
      if (auto collected = collect(taken.chunks); !collected) {
        taken.chunks.push_back(errorLine(collected.error()));
        watch_.reset();
      }
    }
    taken.ended = watch_ == nullptr;
    return taken;
  }

  void whenReady(std::function<void()> wake) override {
    if (!pending_.empty() || !watch_) return wake();
    watch_->whenReady(std::move(wake));
  }

  // The line of an object that was there before the watch began; no other watch will want it.
  Result<> addInitial(const store::Entry& entry) {
    pending_.push_back(rendering_.isPlain() ? plainLine(EventType::Added, *entry.value, entry.revision)
                                            : TRY(shapedLine({EventType::Added, entry.value}, entry.revision)));
    return {};
  }
  void add(http::Chunk line) { pending_.push_back(std::move(line)); }

 private:
  Result<> collect(std::vector<http::Chunk>& chunks) {
    for (const store::Change& change : TRY(watch_->take()))
      if (const auto event = TRY(eventFor(selection_, change))) chunks.push_back(TRY(line(*event, change.revision)));
    return {};
  }

  Result<http::Chunk> line(const Event& event, store::Revision revision) {
    if (rendering_.isPlain()) return lines_->lineOf(event.type, *event.stored, revision);
    return shapedLine(event, revision);
  }

  Result<http::Chunk> shapedLine(const Event& event, store::Revision revision) {
    const bool first = !std::exchange(columnsTold_, true);
    return lineWith(wordOf(event.type), TRY(rendering_.eventObject(*event.stored, revision, first)));
  }

  std::vector<http::Chunk> pending_;
  std::unique_ptr<store::Watch> watch_;
  std::shared_ptr<EventLines> lines_;
  Rendering rendering_;
  Selection selection_;
  bool columnsTold_ = false;
};

http::Response streaming(std::unique_ptr<http::Stream> stream) {
  http::Response response;
  response.headers["content-type"] = "application/json";
  response.stream = std::move(stream);
  return response;
}

// Whether the watch begins with the objects that are there.
Result<bool> wantsInitialEvents(const http::Query& query) {
  const std::int64_t since = TRY(numberOf(query, "resourceVersion")).value_or(0);
  if (!query.find("sendInitialEvents")) return since == 0;
  if (textOf(query, "resourceVersionMatch") != "NotOlderThan")
    return fail(invalid({{"resourceVersionMatch",
                          "Forbidden: sendInitialEvents requires setting resourceVersionMatch "
                          "to NotOlderThan"}}));
  return isSet(query, "sendInitialEvents");
}

Result<http::Response> watchFrom(store::Store& store, std::shared_ptr<EventLines> lines, const WatchRequest& request,
                                 Selection selection, store::Revision since) {
  auto watch = store.watch(request.resource.storePrefixIn(request.nameSpace), since);
  std::vector<http::Chunk> known;
  if (!watch && watch.error().code != Code::Gone) return fail(watch.error());
  if (!watch)
    known.push_back(errorLine({Code::Gone, fmt::format("too old resource version: {} ({})", since, store.revision())}));
  return streaming(std::make_unique<WatchStream>(std::move(known), watch ? std::move(*watch) : nullptr,
                                                 std::move(lines), request.rendering, std::move(selection)));
}

}  // namespace

http::Chunk EventLines::lineOf(EventType type, std::string_view stored, store::Revision revision) {
  const EventKey key = {revision, type};
  {
    const Lock lock(mutex_);
    if (const auto known = lines_.find(key); known != lines_.end()) return known->second;
  }
  const http::Chunk line = plainLine(type, stored, revision);
  const Lock lock(mutex_);
  if (!lines_.emplace(key, line).second) return line;
  order_.push_back(key);
  if (order_.size() > kLinesKept) {
    lines_.erase(order_.front());
    order_.pop_front();
  }
  return line;
}

Result<http::Response> openWatch(store::Store& store, std::shared_ptr<EventLines> lines, const WatchRequest& request) {
  Selection selection = TRY(Selection::parse(request.query, request.resource));
  const store::Revision asked = TRY(numberOf(request.query, "resourceVersion")).value_or(0);
  if (const store::Revision current = store.revision(); asked > current) return fail(tooLargeVersion(asked, current));
  if (!TRY(wantsInitialEvents(request.query)))
    return watchFrom(store, std::move(lines), request, std::move(selection), asked == 0 ? store.revision() : asked);

  const std::string prefix = request.resource.storePrefixIn(request.nameSpace);
  const store::Listing listing = TRY(store.list(prefix));
  auto watch = TRY(store.watch(prefix, listing.revision));
  auto stream = std::make_unique<WatchStream>(std::vector<http::Chunk>(), std::move(watch), std::move(lines),
                                              request.rendering, selection);
  for (const store::Entry& entry : listing.entries)
    if (TRY(selects(selection, entry.value, entry.revision))) TRY(stream->addInitial(entry));
  if (isSet(request.query, "allowWatchBookmarks")) stream->add(bookmarkLine(request.resource, listing.revision));
  return streaming(std::move(stream));
}

}  // namespace godwit::apiserver
