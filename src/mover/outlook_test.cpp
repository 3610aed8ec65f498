#include "mover/outlook.hpp"

#include <gtest/gtest.h>

namespace godwit::mover {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kMebibyte = 1 << 20;

// A disk of 100 MiB that is copied at 10 MiB/s; each test bends one thing.
class OutlookOnACopy : public testing::Test {
 protected:
  void SetUp() override {
    copied.disksTotal = 100 * kMebibyte;
    outlook.note({clock.now(), copied});
  }

  void copyFor(Duration duration, std::int64_t bytes) {
    clock.advance(duration);
    copied.disksDone += bytes;
    outlook.note({clock.now(), copied});
  }

  std::optional<std::int64_t> secondsLeft() const { return outlook.secondsLeft(); }

  ManualClock clock;
  hypervisor::MigrationProgress copied;
  Outlook outlook;
};

TEST_F(OutlookOnACopy, SaysNothingBeforeSomethingHasMoved) {
  EXPECT_EQ(secondsLeft(), std::nullopt);
  copyFor(1s, 0);
  EXPECT_EQ(secondsLeft(), std::nullopt);
}

TEST_F(OutlookOnACopy, CountsDownWhileAllGoesWell) {
  for (const int left : {9, 8, 7, 6}) {
    copyFor(1s, 10 * kMebibyte);
    EXPECT_EQ(secondsLeft(), left);
  }
  EXPECT_EQ(outlook.bytesPerSecond(), 10 * kMebibyte);
}

TEST_F(OutlookOnACopy, DoesNotGoUpWhenTheRateOnlySwings) {
  std::int64_t before = 100;
  for (const int rate : {10, 4, 16, 6, 14, 5, 15, 8, 12}) {
    copyFor(1s, rate * kMebibyte);
    EXPECT_LT(*secondsLeft(), before);
    before = *secondsLeft();
  }
}

TEST_F(OutlookOnACopy, GoesUpOnceItHasBeenSlowerForAWhile) {
  copyFor(1s, 10 * kMebibyte);
  for (int i = 0; i < 3; ++i) copyFor(1s, kMebibyte);
  EXPECT_LE(*secondsLeft(), 9);
  for (int i = 0; i < 12; ++i) copyFor(1s, kMebibyte);
  EXPECT_GT(*secondsLeft(), 30);
}

TEST_F(OutlookOnACopy, GoesDownAtOnceWhenItIsFaster) {
  copyFor(1s, 10 * kMebibyte);
  copyFor(1s, 50 * kMebibyte);
  EXPECT_LE(*secondsLeft(), 3);
}

TEST_F(OutlookOnACopy, TakesNoNoticeOfMomentsThatAreTooNear) {
  copyFor(1s, 10 * kMebibyte);
  copyFor(1ms, 10 * kMebibyte);
  EXPECT_EQ(outlook.bytesPerSecond(), 10 * kMebibyte);
}

// All memory has been sent once, and 50 MiB of it were changed meanwhile.
class OutlookOnMemory : public OutlookOnACopy {
 protected:
  void SetUp() override {
    copied = {.memoryTotal = 100 * kMebibyte, .memoryRemaining = 50 * kMebibyte, .iteration = 2};
    outlook.note({clock.now(), copied});
  }
  void sendFor(Duration duration, std::int64_t bytes) {
    clock.advance(duration);
    copied.memorySent += bytes;
    outlook.note({clock.now(), copied});
  }
};

TEST_F(OutlookOnMemory, ReckonsWithWhatTheGuestChangesMeanwhile) {
  copied.dirtyBytesPerSecond = 5 * kMebibyte;
  sendFor(1s, 10 * kMebibyte);
  EXPECT_EQ(secondsLeft(), 10);
  EXPECT_FALSE(outlook.runsOnTheSpot());
}

TEST_F(OutlookOnMemory, SeesNoEndWhenTheGuestChangesItAsFast) {
  copied.dirtyBytesPerSecond = 9 * kMebibyte;
  sendFor(1s, 10 * kMebibyte);
  EXPECT_EQ(secondsLeft(), std::nullopt);
  EXPECT_TRUE(outlook.runsOnTheSpot());
}

TEST_F(OutlookOnMemory, SeesTheEndAgainWhenItIsLetGoFaster) {
  copied.dirtyBytesPerSecond = 9 * kMebibyte;
  sendFor(1s, 10 * kMebibyte);
  for (int i = 0; i < 3; ++i) sendFor(1s, 100 * kMebibyte);
  EXPECT_LE(secondsLeft().value(), 2);
}

TEST(SampleOfACopy, CountsTheMemoryThatIsStillToCome) {
  hypervisor::DomainState guest;
  guest.memoryBytes = 7;
  guest.outgoing = hypervisor::MigrationProgress{.disksTotal = 4};
  EXPECT_EQ(sampleOf(guest, {})->copied.memoryRemaining, 7);
}

TEST(SampleOfACopy, AddsUpTheMirrorsOfAGuestThatStays) {
  hypervisor::DomainState guest;
  EXPECT_FALSE(sampleOf(guest, {}));
  guest.disks = {
      {.target = "vda", .source = {}, .mirror = hypervisor::Mirror{.destination = {}, .bytesDone = 1, .bytesTotal = 4}},
      {.target = "vdb",
       .source = {},
       .mirror = hypervisor::Mirror{.destination = {}, .bytesDone = 2, .bytesTotal = 8}}};
  const auto copied = sampleOf(guest, {})->copied;
  EXPECT_EQ(copied.disksDone, 3);
  EXPECT_EQ(copied.disksTotal, 12);
  EXPECT_EQ(copied.disks.at(1), (hypervisor::DiskProgress{"vdb", 2, 8}));
}

}  // namespace
}  // namespace godwit::mover
