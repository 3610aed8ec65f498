#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.hpp"
#include "object/document.hpp"
#include "object/patch.hpp"
#include "schema/definition.hpp"
#include "schema/read.hpp"
#include "schema/schema.hpp"
#include "schema/write.hpp"

namespace godwit::client {

struct ListOptions {
  std::string nameSpace;  // all when empty
  std::string labelSelector;
  std::string fieldSelector;
};

struct DocumentList {
  std::vector<object::Document> items;
  std::string resourceVersion;
};

struct WatchEvent {
  enum class Type { Added, Modified, Deleted, Bookmark };
  Type type = Type::Added;
  object::Document object;
};

// What happens to the objects of one kind, as it happens.
class Watch {
 public:
  explicit Watch(std::unique_ptr<http::Stream> stream) : stream_(std::move(stream)) {}

  // What has come since the last call. Gone: list again. Unavailable: the watch has ended.
  Result<std::vector<WatchEvent>> take();
  // Calls `wake` once, from any thread, as soon as take() has something to say.
  void whenReady(std::function<void()> wake) { stream_->whenReady(std::move(wake)); }

 private:
  Result<> readLine(std::string_view line, std::vector<WatchEvent>& into);

  std::unique_ptr<http::Stream> stream_;
  std::string partial_;  // of a line whose end has not come yet
};

// Whether a change holds only if nobody else has written since `before` was read.
enum class Unless { SomebodyElseWrote, Never };

// The Kubernetes API, over any transport. Typed calls read objects as views; what a view does
// not know is never lost, because every change is sent as a merge patch of what differs.
class Client {
 public:
  explicit Client(http::Transport& transport) : transport_(transport) {}

  Result<object::Document> get(const schema::Kind& kind, const object::Key& key) const;
  Result<DocumentList> list(const schema::Kind& kind, const ListOptions& options = {}) const;
  Result<std::unique_ptr<Watch>> watch(const schema::Kind& kind, const std::string& since,
                                       const ListOptions& options = {}) const;
  Result<object::Document> create(const schema::Kind& kind, object::Document document) const;
  // Creates it; one of that name that is there already is as good.
  Result<> ensure(const schema::Kind& kind, object::Document document) const;
  // Subresource empty: the object itself; "status": its status.
  Result<object::Document> mergePatch(const schema::Kind& kind, const object::Key& key, const json::object& patch,
                                      std::string_view subresource = "") const;
  // Succeeds when it is gone already, or is another object than `uid` says. An empty uid means any.
  Result<> remove(const schema::Kind& kind, const object::Key& key, const std::string& uid = "") const;
  Result<> post(const schema::Kind& kind, const object::Key& key, std::string_view subresource,
                const json::object& body) const;

  template <class T>
  Result<T> get(const object::Key& key) const {
    return schema::view<T>(json::value(TRY(get(schema::kind<T>, key))));
  }

  // Nothing when there is none.
  template <class T>
  Result<std::optional<T>> find(const object::Key& key) const {
    auto found = get<T>(key);
    if (found) return std::optional<T>(std::move(*found));
    if (found.error().code == Code::NotFound) return std::nullopt;
    return fail(std::move(found).error());
  }

  template <class T>
  Result<> ensure(const T& object) const {
    return ensure(schema::kind<T>, schema::write(object).as_object());
  }

  template <class T>
  Result<T> create(const T& object) const {
    return schema::view<T>(json::value(TRY(create(schema::kind<T>, schema::write(object).as_object()))));
  }

  // Makes the object's metadata and spec (and status, where it is no subresource) those of `after`.
  template <class T>
  Result<T> change(const T& before, const T& after, Unless unless = Unless::SomebodyElseWrote) const {
    return patchDifference(before, after, "", unless);
  }

  template <class T>
  Result<T> changeStatus(const T& before, const T& after, Unless unless = Unless::SomebodyElseWrote) const {
    return patchDifference(before, after, schema::kind<T>.hasStatus ? "status" : "", unless);
  }

  // Puts a finalizer on the object; one that has it stays as it is.
  template <class T>
  Result<T> hold(const T& object, std::string_view finalizer) const {
    T after = object;
    if (!object.metadata.isHeldBy(finalizer)) after.metadata.finalizers.emplace_back(finalizer);
    return change(object, after);
  }

  // Takes a finalizer off the object as the server has it now; nothing is left to do when it is gone, or another one.
  template <class T>
  Result<> letGo(const T& object, std::string_view finalizer) const {
    const std::optional<T> fresh = TRY(find<T>(object.metadata.key()));
    if (!fresh || fresh->metadata.uid != object.metadata.uid) return {};
    T after = *fresh;
    std::erase(after.metadata.finalizers, finalizer);
    TRY(change(*fresh, after));
    return {};
  }

  template <class T>
  Result<> remove(const T& object) const {
    return remove(schema::kind<T>, object.metadata.key(), object.metadata.uid);
  }

 private:
  template <class T>
  Result<T> patchDifference(const T& before, const T& after, std::string_view subresource, Unless unless) const {
    if (before == after) return after;
    json::object patch = object::mergePatchBetween(schema::write(before).as_object(), schema::write(after).as_object());
    if (patch.empty()) return after;
    if (unless == Unless::SomebodyElseWrote) require(patch, before.metadata.resourceVersion);
    return schema::view<T>(json::value(TRY(mergePatch(schema::kind<T>, before.metadata.key(), patch, subresource))));
  }

  static void require(json::object& patch, const std::string& resourceVersion);
  Result<object::Document> send(http::Request request) const;

  http::Transport& transport_;
};

// Speaks to a server in the same process, without a socket.
class InProcessTransport final : public http::Transport {
 public:
  InProcessTransport(http::Handler& handler, std::string bearerToken)
      : handler_(handler), authorization_("Bearer " + std::move(bearerToken)) {}

  Result<http::Response> send(const http::Request& request) override;

 private:
  http::Handler& handler_;
  std::string authorization_;
};

}  // namespace godwit::client
