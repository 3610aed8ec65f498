#include "mover/patience.hpp"

#include <gtest/gtest.h>

namespace godwit::mover {
namespace {

using namespace std::chrono_literals;

// A guest of 2 GiB that changes its memory as fast as it is copied; each test bends one thing.
class PatienceWithACopy : public testing::Test {
 protected:
  void passMemory(Duration duration, std::int64_t remaining) {
    clock.advance(duration);
    copied.memorySent += 100;
    copied.memoryRemaining = remaining;
    patience.note({clock.now(), copied});
  }
  void passDisks(Duration duration, std::int64_t done) {
    clock.advance(duration);
    copied.disksDone = done;
    patience.note({clock.now(), copied});
  }
  Lapse judge(bool held = false) const { return patience.judge(options, held); }

  ManualClock clock;
  hypervisor::MigrationProgress copied{.memoryTotal = 2LL << 30, .memoryRemaining = 2LL << 30, .disksTotal = 100};
  Options options{.completionTimeoutPerGiB = 10, .progressTimeout = 30};
  Patience patience;
};

TEST_F(PatienceWithACopy, HasNothingToSayBeforeTheCopyBegins) { EXPECT_EQ(judge(), Lapse::None); }

TEST_F(PatienceWithACopy, EndsWhenMemoryHasHadItsTimeForEachGibibyte) {
  passMemory(0s, 1000);
  passMemory(19s, 900);
  EXPECT_EQ(judge(), Lapse::None);
  passMemory(1s, 800);
  EXPECT_EQ(judge(), Lapse::CompletionTimeout);
}

TEST_F(PatienceWithACopy, CountsAGibibyteThatIsBegunAsAWholeOne) {
  copied.memoryTotal = 16 << 20;
  passMemory(0s, 1000);
  passMemory(9s, 900);
  EXPECT_EQ(judge(), Lapse::None);
  passMemory(1s, 800);
  EXPECT_EQ(judge(), Lapse::CompletionTimeout);
}

TEST_F(PatienceWithACopy, DoesNotCountTheTimeThatDisksTake) {
  for (int i = 0; i < 100; ++i) passDisks(20s, i);
  EXPECT_EQ(judge(), Lapse::None);
  passMemory(1s, 1000);
  passMemory(19s, 900);
  EXPECT_EQ(judge(), Lapse::None);
}

TEST_F(PatienceWithACopy, EndsWhenNothingOfTheDisksArrives) {
  passDisks(0s, 10);
  passDisks(29s, 10);
  EXPECT_EQ(judge(), Lapse::None);
  passDisks(1s, 10);
  EXPECT_EQ(judge(), Lapse::NoProgress);
  passDisks(1s, 11);
  EXPECT_EQ(judge(), Lapse::None);
}

TEST_F(PatienceWithACopy, EndsWhenMemoryComesNoNearer) {
  options.completionTimeoutPerGiB = 0;
  passMemory(0s, 1000);
  passMemory(15s, 1200);
  passMemory(15s, 1000);
  EXPECT_EQ(judge(), Lapse::NoProgress);
  passMemory(15s, 999);
  EXPECT_EQ(judge(), Lapse::None);
}

TEST_F(PatienceWithACopy, LetsAHeldGuestTakeItsTimeAsLongAsItComesNearer) {
  passMemory(0s, 1000);
  for (std::int64_t remaining = 999; remaining > 990; --remaining) passMemory(20s, remaining);
  EXPECT_EQ(judge(true), Lapse::None);
  passMemory(30s, 991);
  EXPECT_EQ(judge(true), Lapse::NoProgress);
}

TEST_F(PatienceWithACopy, HasNoEndWhereNoneIsAskedFor) {
  options.completionTimeoutPerGiB = options.progressTimeout = 0;
  passMemory(0s, 1000);
  passMemory(1000h, 1000);
  EXPECT_EQ(judge(), Lapse::None);
}

TEST_F(PatienceWithACopy, NamesFiguresAndKnobsInItsComplaint) {
  passMemory(0s, 1 << 30);
  options.bandwidthBytesPerSecond = 10 << 20;
  const std::string complaint = patience.complain(
      Lapse::CompletionTimeout, options,
      {.memoryDone = 1LL << 30, .memoryTotal = 2LL << 30, .bytesPerSecond = 10 << 20, .dirtyBytesPerSecond = 80 << 20});
  EXPECT_EQ(complaint,
            "memory had 20 s (spec.options.completionTimeoutPerGiB, 10 for each GiB): 1.0 GiB of 2.0 GiB of memory "
            "remain; 10 MiB/s are copied, and the guest changes 80 MiB/s. To help, raise "
            "spec.options.bandwidthPerMigration, or set spec.options.allowAutoConverge for the next attempt, or set "
            "spec.options.allowPostCopy or allowWorkloadDisruption, or allow a longer spec.options.maxDowntimeMs");
}

TEST(AdviceOnACopy, NamesOnlyKnobsThatAreNotTurnedYet) {
  const Progress progress{.bytesPerSecond = 10 << 20, .dirtyBytesPerSecond = 80 << 20};
  EXPECT_EQ(adviseOn(progress, {.autoConverge = true, .disruption = true}),
            "the guest changes 80 MiB/s of memory, 10 MiB/s are copied: allow a longer spec.options.maxDowntimeMs");
}

}  // namespace
}  // namespace godwit::mover
