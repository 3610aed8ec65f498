#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "base/mutex.hpp"
#include "base/result.hpp"

namespace godwit {

// Says which files of some directories were created, written to, or closed after writing - also by
// the death of who had them open.
class DirectoryWatch {
 public:
  struct Change {
    std::string directory;
    std::string file;  // empty: too much happened to say what; look at everything

    bool operator==(const Change&) const = default;
  };

  static Result<DirectoryWatch> open();
  DirectoryWatch(DirectoryWatch&& other) noexcept;

  // From any thread. A directory that is removed is forgotten.
  Result<> add(const std::string& directory);
  // Readable when take() has something to say.
  int descriptor() const { return inotify_.number(); }
  std::vector<Change> take();

 private:
  explicit DirectoryWatch(Descriptor inotify) : inotify_(std::move(inotify)) {}
  void note(int watch, unsigned what, const char* file, std::vector<Change>& into);

  Descriptor inotify_;
  Mutex mutex_;
  std::map<int, std::string> directories_ GUARDED_BY(mutex_);
};

}  // namespace godwit
