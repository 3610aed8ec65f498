#include "node/logs/consoles.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/scratch_directory_test.hpp"
#include "kinds/words.hpp"
#include "node/logs/log_file.hpp"

namespace godwit::node::logs {
namespace {

namespace words = kinds::words;

kinds::Pod guestPod(const std::string& uid, std::string_view phase) {
  kinds::Pod pod;
  pod.metadata.name = "virt-launcher-" + uid;
  pod.metadata.nameSpace = "default";
  pod.metadata.uid = uid;
  pod.metadata.labels = {{std::string(words::kApp), std::string(words::kAppLauncher)},
                         {std::string(words::kVmiName), "db"}};
  pod.status.phase = phase;
  return pod;
}

class ConsolesOfANode : public testing::Test {
 protected:
  void say(const std::string& text) {
    std::ofstream(consoles().logOf(guestPod("any", "")).value().file, std::ios::app) << text;
  }
  std::string logOf(const kinds::Pod& pod) {
    const Log log = consoles().logOf(pod).value();
    return LogFile(log.file).read(log.begin, 1000).value();
  }
  // As one agent has them; the next one has the same files.
  Consoles consoles() { return Consoles::open(directory.path(), directory.file("marks")).value(); }

  ScratchDirectory directory;
};

TEST_F(ConsolesOfANode, GiveAPodWhatWasSaidSinceItCame) {
  say("of an earlier boot\n");
  const kinds::Pod waiting = guestPod("a", "Pending");
  consoles().podChanged(nullptr, &waiting);
  say("hello\n");
  EXPECT_EQ(logOf(waiting), "hello\n");
}

TEST_F(ConsolesOfANode, KeepTheFirstMarkOverChangesAndAgents) {
  const kinds::Pod waiting = guestPod("a", "");
  consoles().podChanged(nullptr, &waiting);
  say("hello\n");
  consoles().podChanged(&waiting, &waiting);
  consoles().podChanged(nullptr, &waiting);
  EXPECT_EQ(logOf(waiting), "hello\n");
}

TEST_F(ConsolesOfANode, GiveAPodThatNobodySawComeTheWholeConsole) {
  say("hello\n");
  const kinds::Pod running = guestPod("a", "Running");
  consoles().podChanged(nullptr, &running);
  EXPECT_EQ(logOf(running), "hello\n");
}

TEST_F(ConsolesOfANode, ForgetAPodThatIsGone) {
  const kinds::Pod first = guestPod("a", "Pending");
  const kinds::Pod second = guestPod("b", "Pending");
  consoles().podChanged(nullptr, &first);
  consoles().podChanged(&first, &second);
  EXPECT_FALSE(std::filesystem::exists(directory.file("marks/a")));
  EXPECT_TRUE(std::filesystem::exists(directory.file("marks/b")));
  consoles().podChanged(&second, nullptr);
  EXPECT_TRUE(std::filesystem::is_empty(directory.file("marks")));
}

}  // namespace
}  // namespace godwit::node::logs
