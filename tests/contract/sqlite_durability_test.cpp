#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "base/scratch_directory_test.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace godwit::store {
namespace {

class SqliteDurability : public testing::Test {
 protected:
  void reopen() {
    store.reset();
    store = SqliteStore::open(scratch.file("store.db")).value();
  }

  ScratchDirectory scratch;
  std::unique_ptr<Store> store = SqliteStore::open(scratch.file("store.db")).value();
};

TEST_F(SqliteDurability, FindsEverythingAgain) {
  ASSERT_TRUE(store->create("/vms/a", "1"));
  ASSERT_TRUE(store->create("/vms/b", ""));
  ASSERT_TRUE(store->replace("/vms/a", std::string("2\0 3", 4), 1));

  reopen();

  const Listing listing = store->list("").value();
  ASSERT_EQ(listing.entries.size(), 2u);
  EXPECT_EQ(*listing.entries[0].value, std::string("2\0 3", 4));
  EXPECT_EQ(listing.entries[0].revision, 3);
  EXPECT_EQ(*listing.entries[1].value, "");
  EXPECT_EQ(listing.entries[1].revision, 2);
  EXPECT_EQ(listing.revision, 3);
}

TEST_F(SqliteDurability, DoesNotGiveARevisionAgainWhenTheNewestEntryWasRemoved) {
  ASSERT_TRUE(store->create("/vms/a", "1"));
  ASSERT_TRUE(store->remove("/vms/a", 1));

  reopen();

  EXPECT_EQ(store->revision(), 2);
  EXPECT_EQ(store->create("/vms/b", "1").value(), 3);
}

TEST_F(SqliteDurability, WatchesFromTheCurrentRevisionAfterAReopenButNotFromAnOlder) {
  ASSERT_TRUE(store->create("/vms/a", "1"));
  ASSERT_TRUE(store->create("/vms/b", "1"));

  reopen();

  EXPECT_EQ(store->watch("", 1).error().code, Code::Gone);
  const auto watch = store->watch("", 2).value();
  ASSERT_TRUE(store->create("/vms/c", "1"));
  EXPECT_EQ(watch->take()->size(), 1u);
}

TEST_F(SqliteDurability, RefusesAFileThatAnotherStoreHasOpen) {
  const auto second = SqliteStore::open(scratch.file("store.db"));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Code::Unavailable);
}

TEST_F(SqliteDurability, SaysWhichFileItCannotOpen) {
  const auto lost = SqliteStore::open(scratch.file("missing/store.db"));
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, Code::Unavailable);
  EXPECT_NE(lost.error().message.find("missing/store.db"), std::string::npos);
}

// Lets this process write no file beyond `bytes`, as if the disk were full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : before_(signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &usual_);
    const rlimit full{bytes, usual_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &full);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &usual_);
    static_cast<void>(signal(SIGXFSZ, before_));
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  sighandler_t before_;
  rlimit usual_{};
};

TEST_F(SqliteDurability, ShowsNobodyAWriteThatDidNotReachTheDisk) {
  ASSERT_TRUE(store->create("/vms/a", "1"));
  const auto watch = store->watch("", 1).value();
  {
    const FullDisk full(65'536);
    EXPECT_EQ(store->create("/vms/b", std::string(1 << 20, 'x')).error().code, Code::Unavailable);
  }
  EXPECT_EQ(store->revision(), 1);
  EXPECT_EQ(store->get("/vms/b").error().code, Code::NotFound);
  EXPECT_TRUE(watch->take()->empty());

  EXPECT_EQ(store->create("/vms/b", std::string(1 << 20, 'x')).value(), 2);
  reopen();
  EXPECT_EQ(store->get("/vms/b")->value->size(), 1u << 20);
}

// What the dying process says of each write it was told is done.
struct Acknowledged {
  int writer;
  int number;
  Revision revision;
};

std::string keyOf(const Acknowledged& write) {
  return "/vms/" + std::to_string(write.writer) + "-" + std::to_string(write.number);
}

// Writes on several threads, so that batches hold more than one operation, until it is killed.
[[noreturn]] void writeForever(const std::string& path, int report) {
  const auto store = SqliteStore::open(path).value();
  const auto write = [&](int writer) {
    for (int number = 0;; ++number) {
      Acknowledged done{writer, number, 0};
      done.revision = store->create(keyOf(done), keyOf(done)).value();
      if (::write(report, &done, sizeof done) != sizeof done) _exit(1);
    }
  };
  std::vector<std::jthread> writers;
  for (int writer = 1; writer < 4; ++writer) writers.emplace_back(write, writer);
  write(0);
  _exit(0);
}

// Kills the writing process right after its `patience`th report, and returns all it has reported.
std::vector<Acknowledged> killDuringWrites(const std::string& path, std::size_t patience) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    writeForever(path, ends[1]);
  }
  close(ends[1]);
  std::vector<Acknowledged> reported;
  for (Acknowledged done{}; read(ends[0], &done, sizeof done) == sizeof done;) {
    reported.push_back(done);
    if (reported.size() == patience) kill(child, SIGKILL);
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  return reported;
}

class SqliteCrash : public testing::TestWithParam<unsigned> {};

TEST_P(SqliteCrash, KeepsEveryWriteThatWasAnswered) {
  const ScratchDirectory scratch;
  SeededRandom random(GetParam());
  const auto acknowledged = killDuringWrites(scratch.file("store.db"), 1 + random.below(300));

  const auto store = SqliteStore::open(scratch.file("store.db")).value();

  Revision newest = 0;
  for (const Acknowledged& write : acknowledged) {
    const auto entry = store->get(keyOf(write));
    ASSERT_TRUE(entry) << keyOf(write) << " is lost";
    EXPECT_EQ(*entry->value, keyOf(write));
    EXPECT_EQ(entry->revision, write.revision);
    newest = std::max(newest, write.revision);
  }
  EXPECT_GE(store->revision(), newest);
  EXPECT_EQ(store->list("")->entries.size(), static_cast<std::size_t>(store->revision()));
}

INSTANTIATE_TEST_SUITE_P(Seeds, SqliteCrash, testing::Range(0u, 10u));

}  // namespace
}  // namespace godwit::store
