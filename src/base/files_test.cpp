#include "base/files.hpp"

#include <gtest/gtest.h>

#include "base/scratch_directory_test.hpp"

namespace godwit {
namespace {

TEST(Files, ReadBackWhatWasWritten) {
  const ScratchDirectory directory;
  const std::string content = std::string(100'000, 'x') + '\0' + "end";
  ASSERT_TRUE(replaceFile(directory.file("a"), content));
  EXPECT_EQ(readFile(directory.file("a")), content);
}

TEST(Files, HaveOnlyTheirNewContentAfterAReplacement) {
  const ScratchDirectory directory;
  ASSERT_TRUE(replaceFile(directory.file("a"), "a long first content"));
  ASSERT_TRUE(replaceFile(directory.file("a"), "short"));
  EXPECT_EQ(readFile(directory.file("a")), "short");
  EXPECT_FALSE(std::filesystem::exists(directory.file("a.new")));
}

TEST(Files, ThatAreNotThereAreNotFound) {
  const ScratchDirectory directory;
  EXPECT_EQ(readFile(directory.file("a")).error().code, Code::NotFound);
  EXPECT_EQ(replaceFile(directory.file("nowhere/a"), "x").error().code, Code::NotFound);
}

}  // namespace
}  // namespace godwit
