#include "base/directory_watch.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>

#include "base/file_lock.hpp"
#include "base/files.hpp"
#include "base/scratch_directory_test.hpp"

namespace godwit {
namespace {

class WatchedDirectory : public testing::Test {
 protected:
  WatchedDirectory() { EXPECT_TRUE(watch.add(directory.path())); }

  bool sees(const std::string& file) {
    const auto changes = watch.take();
    return std::find(changes.begin(), changes.end(), DirectoryWatch::Change{directory.path(), file}) != changes.end();
  }

  // Blocks until something happens.
  bool comesToSee(const std::string& file) {
    pollfd news{.fd = watch.descriptor(), .events = POLLIN, .revents = 0};
    while (::poll(&news, 1, 60'000) == 1)
      if (sees(file)) return true;
    return false;
  }

  const ScratchDirectory directory;
  DirectoryWatch watch = DirectoryWatch::open().value();
};

TEST_F(WatchedDirectory, HasNoNewsBeforeSomethingHappens) { EXPECT_TRUE(watch.take().empty()); }

TEST_F(WatchedDirectory, TellsOfAFileThatIsReplaced) {
  ASSERT_TRUE(replaceFile(directory.file("a"), "x"));
  EXPECT_TRUE(sees("a"));
  EXPECT_FALSE(sees("a"));
}

TEST_F(WatchedDirectory, IsForgottenWhenItIsRemoved) {
  std::filesystem::remove_all(directory.path());
  EXPECT_TRUE(watch.take().empty());
  EXPECT_EQ(watch.add(directory.path()).error().code, Code::NotFound);
}

TEST_F(WatchedDirectory, ShowsALockFreeAsSoonAsItTellsOfTheHoldersDeath) {
  const std::string path = directory.file("lock");
  const pid_t child = fork();
  if (child == 0) {
    const auto lock = FileLock::take(path);
    if (lock && *lock) (void)replaceFile(directory.file("ready"), "");
    for (;;) pause();
  }
  ASSERT_TRUE(comesToSee("ready"));
  EXPECT_EQ(FileLock::holder(path).value(), child);
  EXPECT_EQ(FileLock::take(path).value().has_value(), false);
  (void)watch.take();

  kill(child, SIGKILL);
  ASSERT_TRUE(comesToSee("lock"));

  EXPECT_EQ(FileLock::holder(path).value(), std::optional<pid_t>());
  waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace godwit
