#include "base/process.hpp"

#include <fcntl.h>

#include <csignal>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/scratch_directory_test.hpp"

namespace godwit {
namespace {

class ProcessTest : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return directory_.file(name); }

 private:
  const ScratchDirectory directory_;
};

TEST_F(ProcessTest, SaysHowAChildEnded) {
  EXPECT_EQ(Process::start({.argv = {"/bin/true"}})->wait(), (Exit{.status = 0, .signal = 0}));
  EXPECT_EQ(Process::start({.argv = {"/bin/false"}})->wait(), (Exit{.status = 1, .signal = 0}));
}

TEST_F(ProcessTest, KnowsNoEndOfAChildThatRuns) {
  auto child = Process::start({.argv = {"/bin/sleep", "1000"}}).value();
  EXPECT_EQ(child.poll().value(), std::nullopt);
  ASSERT_TRUE(child.kill(SIGKILL));
  EXPECT_EQ(child.wait().value(), (Exit{.status = 0, .signal = SIGKILL}));
  EXPECT_EQ(child.poll().value(), (Exit{.status = 0, .signal = SIGKILL}));
  EXPECT_TRUE(child.kill(SIGKILL));
}

TEST_F(ProcessTest, RefusesAProgramThatIsNotThere) {
  const auto child = Process::start({.argv = {file("nothing")}});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().code, Code::NotFound);
}

TEST_F(ProcessTest, AppendsWhatIsPrintedToTheFile) {
  for (const char* word : {"one", "two"})
    ASSERT_TRUE(Process::start({.argv = {"/bin/echo", word}, .outputFile = file("out")})->wait());
  EXPECT_EQ(readFile(file("out")).value(), "one\ntwo\n");
}

TEST_F(ProcessTest, AppendsComplaintsToTheirOwnFile) {
  auto child =
      Process::start({.argv = {"/bin/cat", file("nothing")}, .outputFile = file("out"), .errorFile = file("err")});
  ASSERT_TRUE(child->wait());
  EXPECT_EQ(readFile(file("out")).value(), "");
  EXPECT_NE(readFile(file("err")).value().find("nothing"), std::string::npos);
}

TEST_F(ProcessTest, AddsToTheEnvironment) {
  ASSERT_TRUE(Process::start(
                  {.argv = {"/usr/bin/printenv", "COLOUR"}, .outputFile = file("out"), .environment = {"COLOUR=blue"}})
                  ->wait());
  EXPECT_EQ(readFile(file("out")).value(), "blue\n");
}

TEST_F(ProcessTest, GivesTheChildNothingToRead) {
  EXPECT_EQ(Process::start({.argv = {"/bin/cat"}, .outputFile = file("out")})->wait(), Exit{});
  EXPECT_EQ(readFile(file("out")).value(), "");
}

TEST_F(ProcessTest, LeavesTheChildNoOtherDescriptor) {
  const Descriptor secret(::fcntl(STDERR_FILENO, F_DUPFD, 777));
  ASSERT_EQ(secret.number(), 777);
  ASSERT_TRUE(Process::start({.argv = {"/bin/ls", "/proc/self/fd"}, .outputFile = file("out")})->wait());
  EXPECT_EQ(readFile(file("out")).value().find("777"), std::string::npos) << readFile(file("out")).value();
}

TEST_F(ProcessTest, UnblocksTheSignalsOfTheChild) {
  sigset_t term;
  sigset_t before;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &term, &before);
  auto child = Process::start({.argv = {"/bin/sleep", "1000"}}).value();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ASSERT_TRUE(child.kill(SIGTERM));
  EXPECT_EQ(child.wait().value(), (Exit{.status = 0, .signal = SIGTERM}));
}

TEST_F(ProcessTest, PutsTheChildIntoASessionOfItsOwnOnRequest) {
  auto child = Process::start({.argv = {"/bin/sleep", "1000"}, .ownSession = true}).value();
  EXPECT_EQ(getsid(child.pid()), child.pid());
  ASSERT_TRUE(child.kill(SIGKILL));
  ASSERT_TRUE(child.wait());
}

}  // namespace
}  // namespace godwit
