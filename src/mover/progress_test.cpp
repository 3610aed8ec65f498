#include "mover/progress.hpp"

#include <gtest/gtest.h>

namespace godwit::mover {
namespace {

constexpr std::int64_t kMib = 1 << 20;

TEST(SentenceOnProgress, IsEmptyBeforeThereIsSomethingToSay) { EXPECT_EQ(sentenceOf({}), ""); }

TEST(SentenceOnProgress, TellsHowFarHowFastAndHowLong) {
  EXPECT_EQ(sentenceOf({.disksDone = 5 * kMib, .disksTotal = 64 * kMib, .bytesPerSecond = 10 * kMib, .secondsLeft = 6}),
            "Copying: 5.0 MiB of 64 MiB of disks, 10 MiB/s, about 6 s left");
}

TEST(SentenceOnProgress, TellsOfAGuestThatChangesItsMemory) {
  EXPECT_EQ(sentenceOf({.memoryDone = 0,
                        .memoryTotal = 2048 * kMib,
                        .bytesPerSecond = kMib / 2,
                        .dirtyBytesPerSecond = 80 * kMib,
                        .iteration = 3,
                        .throttlePercent = 20}),
            "Copying: 0 B of 2.0 GiB of memory, 512 KiB/s, round 3, in which the guest changed 80 MiB/s, "
            "the guest is slowed down by 20%");
}

TEST(SentenceOnProgress, TellsInTheEndHowLongTheGuestStoodStill) {
  EXPECT_EQ(sentenceOf({.stage = Stage::Moved, .memoryDone = 1, .memoryTotal = 1, .downtimeMs = 35}),
            "Moved: 1 B of 1 B of memory, the guest stood still for 35 ms");
}

}  // namespace
}  // namespace godwit::mover
