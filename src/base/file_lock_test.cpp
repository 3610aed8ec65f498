#include "base/file_lock.hpp"

#include <gtest/gtest.h>

#include "base/scratch_directory_test.hpp"

namespace godwit {
namespace {

TEST(FileLock, IsTakenByTheFirstWhoAsks) {
  const ScratchDirectory directory;
  EXPECT_TRUE(FileLock::take(directory.file("lock")).value().has_value());
}

TEST(FileLock, HasNoHolderBeforeTheFileIsMade) {
  const ScratchDirectory directory;
  EXPECT_EQ(FileLock::holder(directory.file("lock")).value(), std::optional<pid_t>());
}

TEST(FileLock, CannotBeTakenWhereThereIsNoDirectory) {
  const ScratchDirectory directory;
  EXPECT_EQ(FileLock::take(directory.file("nowhere/lock")).error().code, Code::NotFound);
}

}  // namespace
}  // namespace godwit
