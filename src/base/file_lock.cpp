#include "base/file_lock.hpp"

#include <fcntl.h>

#include <cerrno>

#include "base/failed_to.hpp"

namespace godwit {
namespace {

// Record locks, not flock(2): flock cannot be looked at without being taken, and is given back only
// after watchers have been told of the close.
struct flock wholeFile() {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

Result<std::optional<FileLock>> FileLock::take(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!file) return failedTo("open", path);
  const struct flock lock = wholeFile();
  if (::fcntl(file.number(), F_SETLK, &lock) == 0) return FileLock(std::move(file));
  if (errno == EACCES || errno == EAGAIN) return std::nullopt;
  return failedTo("lock", path);
}

Result<std::optional<pid_t>> FileLock::holder(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file && errno == ENOENT) return std::nullopt;
  if (!file) return failedTo("open", path);
  struct flock lock = wholeFile();
  if (::fcntl(file.number(), F_GETLK, &lock) != 0) return failedTo("look at", path);
  return lock.l_type == F_UNLCK ? std::nullopt : std::optional(lock.l_pid);
}

}  // namespace godwit
