#include "controllers/volume_update/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::volume_update {
namespace {

using namespace std::chrono_literals;

// New claims under a running guest, and nothing against them; each test bends one thing.
Observed healthy() {
  Observed observed;
  observed.asked = observed.onRecord = observed.runs = true;
  return observed;
}

std::string saidOf(const Observed& observed) { return explain(decide(observed), observed); }

TEST(DecideVolumeUpdate, BeginsAMigration) {
  EXPECT_EQ(decide(healthy()).duty, Duty::Begin);
  EXPECT_EQ(saidOf(healthy()), "migrate volumes");
}

TEST(DecideVolumeUpdate, WaitsUntilTheMachineHasItOnRecord) {
  auto observed = healthy();
  observed.onRecord = false;
  EXPECT_EQ(decide(observed).duty, Duty::Rest);
}

TEST(DecideVolumeUpdate, MakesNoSecondMigration) {
  auto observed = healthy();
  observed.underWay = observed.sameClaims = true;
  EXPECT_EQ(decide(observed), (Step{Duty::Rest, "True", "MigratingVolumes"}));
}

TEST(DecideVolumeUpdate, CallsOffWhatIsTakenBack) {
  auto observed = healthy();
  observed.asked = false;
  observed.underWay = true;
  EXPECT_EQ(decide(observed), (Step{Duty::CallOff, "False", "VolumesChangeCancellation"}));
  observed.arrived = true;
  EXPECT_EQ(decide(observed), (Step{Duty::Rest, "", ""})) << "it has been made, and has only to say so";
  observed.underWay = observed.arrived = false;
  EXPECT_EQ(decide(observed), (Step{Duty::Rest, "", ""}));
}

TEST(DecideVolumeUpdate, LetsAMoveBeRevertedAndNotRedirected) {
  auto observed = healthy();
  observed.underWay = true;
  EXPECT_EQ(decide(observed).duty, Duty::Rest);
  EXPECT_EQ(saidOf(observed), "The volume can only be reverted to the previous version during the update");
}

TEST(DecideVolumeUpdate, LeavesVolumesThatCannotMoveToARestart) {
  auto observed = healthy();
  observed.unmovable = " shareable: [data]";
  EXPECT_EQ(decide(observed).reason, kRestartRequired);
  EXPECT_EQ(saidOf(observed), "invalid volumes to update with migration: shareable: [data]");
}

TEST(DecideVolumeUpdate, WaitsForAClaimThatIsNotThere) {
  auto observed = healthy();
  observed.missing = "claim fast";
  EXPECT_EQ(decide(observed).status, "False");
  EXPECT_EQ(saidOf(observed), "One of the destination volumes doesn't exist: claim fast");
}

TEST(DecideVolumeUpdate, WaitsForOthers) {
  auto observed = healthy();
  observed.othersMove = true;
  EXPECT_EQ(decide(observed).duty, Duty::Rest);
}

TEST(DecideVolumeUpdate, TriesAgainLaterAndSaysWhen) {
  auto observed = healthy();
  observed.failures = {.count = 2, .sinceLast = 39s, .message = "CopyFailed", .failureClass = "Transient"};
  EXPECT_EQ(decide(observed).duty, Duty::Wait);
  EXPECT_EQ(saidOf(observed),
            "2 migrations in a row failed, the last one with \"CopyFailed\"; the next one begins 40 seconds after it");
  observed.failures.sinceLast = 40s;
  EXPECT_EQ(decide(observed).duty, Duty::Begin);
}

TEST(DecideVolumeUpdate, DoesNotRepeatWhatCannotHeal) {
  auto observed = healthy();
  observed.failures = {.count = 1, .sinceLast = 1h, .message = "too small", .failureClass = "Permanent"};
  EXPECT_EQ(decide(observed), (Step{Duty::Rest, "False", "MigrationFailed"}));
  observed.failures.reason = "VolumeRefused";
  EXPECT_EQ(decide(observed).duty, Duty::Begin) << "nothing is against the volumes any more";
}

}  // namespace
}  // namespace godwit::controllers::volume_update
