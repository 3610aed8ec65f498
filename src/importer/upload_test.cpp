#include "importer/upload.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <future>

#include <gtest/gtest.h>

#include "base/files.hpp"
#include "base/scratch_directory_test.hpp"
#include "importer/importer.hpp"
#include "importer/inlet.hpp"

namespace godwit::importer {
namespace {

namespace fs = std::filesystem;

// An importer that waits, on a thread of its own; the test is the sender.
class Uploading : public testing::Test {
 protected:
  Uploading() {
    // Longer than the address of a socket can be.
    papers = directory.file(std::string(120, 'p'));
    fs::create_directory(papers);
    orders.upload = true;
    orders.target = storage::Place{directory.file("volume/disk.img")};
    orders.targetBytes = 8 << 20;
  }
  ~Uploading() override { givenUp = true; }

  std::future<Verdict> start() {
    listening = {};
    auto ready = listening.get_future();
    auto verdict = std::async(std::launch::async, [this, told = false]() mutable {
      return fill(orders, {.directory = papers, .note = [&](const Progress& progress) -> Result<> {
                             if (progress.stage == Stage::Waiting && !std::exchange(told, true)) listening.set_value();
                             last = progress.stage;
                             if (givenUp) return fail(Code::Gone, "it was given up");
                             return {};
                           }});
    });
    ready.wait();
    return verdict;
  }

  Sender reach() { return Sender::reach(papers, 5).value(); }

  std::string image() { return readFile(orders.target.path).value_or("no image"); }

  const ScratchDirectory directory;
  std::string papers;
  Orders orders;
  std::promise<void> listening;
  std::atomic<bool> givenUp = false;
  std::atomic<Stage> last = Stage::Waiting;
};

TEST_F(Uploading, FillsTheVolumeWithWhatIsSent) {
  auto verdict = start();
  const Sender sender = reach();
  ASSERT_TRUE(sender.send("bo"));
  ASSERT_TRUE(sender.send("ot"));
  EXPECT_TRUE(sender.finish());
  EXPECT_EQ(verdict.get(), (Verdict{true, "Completed", ""}));
  EXPECT_EQ(image().size(), 8U << 20);
  EXPECT_EQ(image().substr(0, 5), std::string("boot\0", 5));
}

TEST_F(Uploading, ForgetsWhatBreaksOffAndTakesAnother) {
  auto verdict = start();
  ASSERT_TRUE(reach().send("half of something longer"));
  const Sender sender = reach();
  ASSERT_TRUE(sender.send("whole"));
  EXPECT_TRUE(sender.finish());
  EXPECT_TRUE(verdict.get().filled);
  EXPECT_EQ(image().find_first_not_of('\0', 5), std::string::npos);
}

TEST_F(Uploading, RefusesWhatDoesNotFitAndTellsTheSender) {
  orders.targetBytes = 4096;
  auto verdict = start();
  const Sender sender = reach();
  Result<> sent = sender.send(std::string(8192, 'x'));
  if (sent) sent = sender.finish();
  const std::string why = "the image is larger than the volume: 8Ki (8192 bytes) where 4Ki (4096 bytes) fit";
  EXPECT_EQ(sent.error(), (Error{Code::Invalid, why, {}}));
  EXPECT_EQ(verdict.get(), (Verdict{false, "UnusableImage", why}));
  EXPECT_TRUE(fs::is_empty(directory.file("volume")));
}

TEST_F(Uploading, IsNotReachedOnceItHasAnImage) {
  auto verdict = start();
  EXPECT_TRUE(Sender::reach(papers, 0));
  const Sender sender = reach();
  ASSERT_TRUE(sender.send("whole"));
  ASSERT_TRUE(sender.finish());
  verdict.get();
  EXPECT_EQ(Sender::reach(papers, 0).error().code, Code::Unavailable);
}

TEST_F(Uploading, IsGivenUpWhileItWaits) {
  auto verdict = start();
  givenUp = true;
  EXPECT_EQ(verdict.get().reason, "Cancelled");
}

TEST_F(Uploading, GoesOnWithWhatAnImporterBeforeItHasGot) {
  fs::create_directory(directory.file("volume"));
  std::ofstream(directory.file("volume/disk.img.download")) << "whole";
  std::ofstream(papers + "/received") << "raw";
  const auto note = [](const Progress&) -> Result<> { return {}; };
  EXPECT_TRUE(fill(orders, {.directory = papers, .note = note}).filled);
  EXPECT_EQ(image().substr(0, 6), std::string("whole\0", 6));
}

TEST_F(Uploading, BeginsAnewWithoutTheImageThatAnImporterBeforeItHasGot) {
  std::ofstream(papers + "/received") << "raw";
  auto verdict = start();
  EXPECT_FALSE(fs::exists(papers + "/received"));
  givenUp = true;
  EXPECT_FALSE(verdict.get().filled);
  EXPECT_EQ(image(), "no image");
}

}  // namespace
}  // namespace godwit::importer
