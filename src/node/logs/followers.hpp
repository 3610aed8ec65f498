#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/directory_watch.hpp"
#include "base/lookout.hpp"
#include "base/mutex.hpp"
#include "object/document.hpp"

namespace godwit::node::logs {

// One who waits for news of a log. There is news to begin with: nothing has been read yet.
class Follower {
 public:
  // From any thread.
  void tell();
  // Calls `wake` once, when there is news; at once if there already is.
  void whenTold(std::function<void()> wake);
  // Takes the news so far as heard.
  void settle();

 private:
  Mutex mutex_;
  std::function<void()> wake_ GUARDED_BY(mutex_);
  bool told_ GUARDED_BY(mutex_) = true;
};

// All who follow logs on this node. The kernel tells when a file has grown.
class Followers {
 public:
  static Result<std::unique_ptr<Followers>> open();

  // Tells the follower, as long as there is one, of changes of that file and that pod. NotFound when the file's
  // directory is not there; the file itself may come later.
  Result<> add(const std::string& file, const object::Key& pod, const std::shared_ptr<Follower>& follower);
  void podChanged(const object::Key& pod);

 private:
  struct Entry {
    std::string directory;
    std::string file;  // without its directory
    object::Key pod;
    std::weak_ptr<Follower> follower;
  };

  explicit Followers(DirectoryWatch watch) : watch_(std::move(watch)) {}
  void readNews();
  template <class Concerns>
  void tellThose(Concerns concerns);

  DirectoryWatch watch_;
  Mutex mutex_;
  std::vector<Entry> entries_ GUARDED_BY(mutex_);
  std::unique_ptr<Lookout> lookout_;  // the last member: its thread uses all others
};

}  // namespace godwit::node::logs
