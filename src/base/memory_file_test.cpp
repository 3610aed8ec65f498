#include "base/memory_file.hpp"

#include <filesystem>

#include <gtest/gtest.h>

#include "base/process.hpp"

namespace godwit {
namespace {

TEST(AFileInMemory, IsReadAndWrittenByAChild) {
  const MemoryFile question = MemoryFile::holding("where to?").value();
  const MemoryFile answer = MemoryFile::holding("").value();
  Process child = Process::start({.argv = {"/bin/cat", question.path()}, .outputFile = answer.path()}).value();
  EXPECT_EQ(child.wait().value(), Exit{});
  EXPECT_EQ(answer.content().value(), "where to?");
}

TEST(AFileInMemory, IsGoneWhenNobodyHoldsIt) {
  std::string path;
  {
    const MemoryFile file = MemoryFile::holding("secret").value();
    path = file.path();
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace godwit
