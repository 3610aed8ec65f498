#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "base/descriptor.hpp"
#include "base/result.hpp"

namespace godwit {

// A lock between processes that its holder cannot leave behind: the kernel takes it back however the holder
// dies, before it tells watchers of the directory that the file was closed. It does not keep two threads of
// one process apart, and is lost when the process opens and closes the file in any other way.
class FileLock {
 public:
  // Makes the file if need be. Nothing when another process holds the lock.
  static Result<std::optional<FileLock>> take(const std::string& path);

  // The other process that holds the lock, or nothing. Looking does not get into anybody's way.
  static Result<std::optional<pid_t>> holder(const std::string& path);

 private:
  explicit FileLock(Descriptor file) : file_(std::move(file)) {}

  Descriptor file_;
};

}  // namespace godwit
