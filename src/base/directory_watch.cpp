#include "base/directory_watch.hpp"

#include <sys/inotify.h>

#include <array>
#include <cerrno>

#include "base/failed_to.hpp"

namespace godwit {
namespace {

constexpr std::uint32_t kEvents = IN_CREATE | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE | IN_ONLYDIR;

}  // namespace

Result<DirectoryWatch> DirectoryWatch::open() {
  Descriptor inotify(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!inotify) return failedTo("watch", "directories");
  return DirectoryWatch(std::move(inotify));
}

DirectoryWatch::DirectoryWatch(DirectoryWatch&& other) noexcept NO_THREAD_SAFETY_ANALYSIS
    : inotify_(std::move(other.inotify_)),
      directories_(std::move(other.directories_)) {}

Result<> DirectoryWatch::add(const std::string& directory) {
  // Held while the watch is made, or its first events could be taken before its number is known.
  const Lock lock(mutex_);
  const int watch = inotify_add_watch(inotify_.number(), directory.c_str(), kEvents);
  if (watch < 0) return failedTo("watch", directory);
  directories_[watch] = directory;
  return {};
}

std::vector<DirectoryWatch::Change> DirectoryWatch::take() {
  std::vector<Change> changes;
  alignas(inotify_event) std::array<char, 1 << 14> buffer;
  for (ssize_t length = 0; (length = ::read(inotify_.number(), buffer.data(), buffer.size())) > 0;)
    for (std::size_t at = 0; at < static_cast<std::size_t>(length);) {
      const auto* const event = reinterpret_cast<const inotify_event*>(buffer.data() + at);
      note(event->wd, event->mask, event->len > 0 ? event->name : "", changes);
      at += sizeof(inotify_event) + event->len;
    }
  return changes;
}

void DirectoryWatch::note(int watch, unsigned what, const char* file, std::vector<Change>& into) {
  const Lock lock(mutex_);
  if (what & IN_Q_OVERFLOW)
    for (const auto& [number, directory] : directories_) into.push_back({directory, ""});
  const auto found = directories_.find(watch);
  if (found == directories_.end()) return;
  if (what & IN_IGNORED)
    directories_.erase(found);
  else
    into.push_back({found->second, file});
}

}  // namespace godwit
