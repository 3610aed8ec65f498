#include "mover/verification.hpp"

#include <gtest/gtest.h>

namespace godwit::mover {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kSize = 64 << 20;

// A guest with two mirrored disks; each test says where they differ when they are looked at.
class VerificationOfTwoDisks : public testing::Test {
 protected:
  using Answer = Result<std::optional<std::int64_t>>;

  VerificationOfTwoDisks() {
    orders.inPlace = orders.verify = true;
    for (const char* name : {"vda", "vdb"}) {
      orders.disks.push_back({.target = name, .path = "/to", .claim = std::string("claim-of-") + name});
      guest.disks.push_back(
          {.target = name, .source = {.path = name}, .mirror = hypervisor::Mirror{.destination = {}, .ready = true}});
    }
  }

  // Looks until there is an end of it; says how often.
  int verify() {
    Verification verification(
        orders,
        [&](const auto& left, const auto&, const storage::Stretch& stretch) -> Answer {
          if (left.path == "vda" && answer) return answer(stretch);
          return std::nullopt;
        },
        clock);
    for (int looks = 1; looks < 10'000; ++looks) {
      EXPECT_TRUE(verification.goOn(guest, options, [](const auto&) { return kSize; }));
      agreement = verification.agreement();
      complaint = verification.complaint();
      disks = verification.disks();
      clock.advance(verification.lookAgainAfter(options));
      if (agreement != Agreement::Pending) return looks;
    }
    return 0;
  }

  Orders orders;
  Options options;
  hypervisor::DomainState guest;
  ManualClock clock;
  std::function<Answer(const storage::Stretch&)> answer;
  Agreement agreement = Agreement::Unasked;
  std::string complaint;
  std::vector<DiskVerification> disks;
};

TEST_F(VerificationOfTwoDisks, IsNotDoneUnlessItIsAskedFor) {
  orders.verify = false;
  verify();
  EXPECT_EQ(agreement, Agreement::Unasked);
  EXPECT_TRUE(disks.empty());
}

TEST_F(VerificationOfTwoDisks, ComparesAllOfBoth) {
  std::int64_t expected = 0;
  answer = [&](const storage::Stretch& stretch) -> Answer {
    EXPECT_EQ(stretch.from, expected);
    expected += stretch.length;
    return std::nullopt;
  };
  verify();
  EXPECT_EQ(agreement, Agreement::Equal);
  EXPECT_EQ(expected, kSize);
  ASSERT_EQ(disks.size(), 2U);
  EXPECT_EQ(disks[0], (DiskVerification{"vda", "claim-of-vda", kSize, kSize, "Equal", clock.now()}));
  EXPECT_EQ(disks[1].result, "Equal");
}

TEST_F(VerificationOfTwoDisks, ForgivesADifferenceThatGoesAway) {
  int differed = 0;
  answer = [&](const storage::Stretch& stretch) -> Answer {
    const std::int64_t at = 5 << 20;
    if (stretch.from <= at && at < stretch.from + stretch.length && ++differed < 10) return at;
    return std::nullopt;
  };
  verify();
  EXPECT_EQ(agreement, Agreement::Equal);
  EXPECT_EQ(differed, 10);
}

TEST_F(VerificationOfTwoDisks, GoesOnAfterASectorThatOnlyAGuestThatStandsStillLeavesAlone) {
  Verification verification(
      orders,
      [&](const auto&, const auto&, const storage::Stretch& stretch) -> Answer {
        return guest.state == hypervisor::RunState::Running ? Answer(stretch.from) : Answer(std::nullopt);
      },
      clock);
  const auto look = [&] {
    EXPECT_TRUE(verification.goOn(guest, options, [](const auto&) { return kSize; }));
    clock.advance(verification.lookAgainAfter(options));
    return verification.agreement();
  };
  while (look() == Agreement::Pending) {
  }
  ASSERT_EQ(verification.agreement(), Agreement::Doubtful);
  guest.state = hypervisor::RunState::Paused;
  EXPECT_EQ(look(), Agreement::Pending);
  EXPECT_GT(verification.disks()[0].bytesDone, 0);
}

TEST_F(VerificationOfTwoDisks, NamesTheClaimAndThePlaceOfADifferenceThatIsThereWhileTheGuestStandsStill) {
  answer = [](const storage::Stretch& stretch) -> Answer {
    const std::int64_t at = 5 << 20;
    if (stretch.from <= at && at < stretch.from + stretch.length) return at;
    return std::nullopt;
  };
  const Timestamp begin = clock.now();
  verify();
  EXPECT_EQ(agreement, Agreement::Doubtful) << "the guest may write there all the time";
  EXPECT_GE(clock.now() - begin, 1s);
  guest.state = hypervisor::RunState::Paused;
  verify();
  EXPECT_EQ(agreement, Agreement::Different);
  EXPECT_NE(complaint.find("claim claim-of-vda, disk vda, is not the same at byte 5242880"), std::string::npos)
      << complaint;
  EXPECT_EQ(disks[0].result, "Different");
  EXPECT_EQ(disks[0].bytesDone, 5 << 20);
}

TEST_F(VerificationOfTwoDisks, TriesAgainWhatCannotBeReadForAMoment) {
  int failed = 0;
  answer = [&](const storage::Stretch&) -> Answer {
    if (++failed < 20) return fail(Code::Unavailable, "no answer");
    return std::nullopt;
  };
  verify();
  EXPECT_EQ(agreement, Agreement::Equal);
  failed = -10'000;
  verify();
  EXPECT_EQ(agreement, Agreement::Impossible);
  EXPECT_NE(complaint.find("claim claim-of-vda, disk vda, cannot be compared with its copy: no answer"),
            std::string::npos)
      << complaint;
}

TEST_F(VerificationOfTwoDisks, GivesUpAtOnceWhatNoSecondLookHelps) {
  answer = [](const storage::Stretch&) -> Answer { return fail(Code::Invalid, "a password is needed"); };
  EXPECT_EQ(verify(), 1);
  EXPECT_EQ(agreement, Agreement::Impossible);
}

TEST_F(VerificationOfTwoDisks, KeepsToTheBandwidth) {
  options.bandwidthBytesPerSecond = 4 << 20;
  const Timestamp begin = clock.now();
  verify();
  EXPECT_GE(clock.now() - begin, 2 * kSize / options.bandwidthBytesPerSecond * 1s);
}

}  // namespace
}  // namespace godwit::mover
