#pragma once

#include <cstdint>
#include <string>

#include "base/file_lock.hpp"
#include "storage/tgt.hpp"

namespace godwit::storage {

// A directory whose files are served as LUNs by a tgt daemon. The directory is the truth: a daemon that starts knows
// nothing, and is told of every file in it. Processes take turns by a lock in the directory, so a call may be
// a Conflict; threads of one process must take turns by themselves.
class LunShelf {
 public:
  LunShelf(std::string directory, const std::string& control);

  // The file that is behind a volume's LUN.
  std::string fileOf(const std::string& volume) const;

  // A file that is there is left as it is; a new one is empty and sparse. Invalid when it is smaller than `bytes`.
  Result<> ensure(const std::string& volume, std::int64_t bytes);
  // Conflict when somebody uses the LUN: the daemon measures a file only when it opens it.
  Result<> grow(const std::string& volume, std::int64_t bytes);
  // The same; what was beyond is lost.
  Result<> shrink(const std::string& volume, std::int64_t bytes);
  Result<> remove(const std::string& volume);
  // Serves every file there is.
  Result<> serveAll();

 private:
  Result<FileLock> takeTurn() const;
  Result<> serve(const std::string& volume) const;

  const std::string directory_;
  const Tgt daemon_;
};

}  // namespace godwit::storage
