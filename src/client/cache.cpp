#include "client/cache.hpp"

namespace godwit::client {

Result<> Reflector::pump() {
  if (!watch_) return relist();
  auto events = watch_->take();
  if (!events) {
    watch_.reset();
    return fail(events.error());
  }
  for (const WatchEvent& event : *events) switch (event.type) {
      case WatchEvent::Type::Added:
      case WatchEvent::Type::Modified:
        put(event.object);
        break;
      case WatchEvent::Type::Deleted:
        remove(event.object);
        break;
      case WatchEvent::Type::Bookmark:
        break;
    }
  return {};
}

void Reflector::whenReady(std::function<void()> wake) {
  if (watch_)
    watch_->whenReady(std::move(wake));
  else
    wake();
}

Result<> Reflector::relist() {
  DocumentList listed = TRY(client_.list(kind_, options_));
  watch_ = TRY(client_.watch(kind_, listed.resourceVersion, options_));
  replaceAll(std::move(listed.items));
  synced_ = true;
  return {};
}

}  // namespace godwit::client
