#include "kinds/volume_migration.hpp"

#include <gtest/gtest.h>

namespace godwit::kinds {
namespace {

VolumeMigration wishFor(std::vector<MigratedVolume> volumes) {
  VolumeMigration wish;
  wish.spec.migratedVolume = std::move(volumes);
  return wish;
}

std::string pathOf(const VolumeMigration& wish) {
  const auto problems = problemsOf(wish);
  return problems.size() == 1 ? problems[0].path : std::to_string(problems.size());
}

TEST(VolumeMigrationRules, AcceptAClaimOrAClass) {
  EXPECT_TRUE(problemsOf(wishFor({{"a", "b"}, {"c", "", SourceReclaimPolicy::Retain, "fast"}})).empty());
}

TEST(VolumeMigrationRules, WantADestinationAndOnlyOne) {
  EXPECT_EQ(pathOf(wishFor({})), "spec.migratedVolume");
  EXPECT_EQ(pathOf(wishFor({{"a", ""}})), "spec.migratedVolume[0].destinationClaim");
  EXPECT_EQ(pathOf(wishFor({{"a", "b", SourceReclaimPolicy::Retain, "fast"}})),
            "spec.migratedVolume[0].destinationClaim");
}

TEST(VolumeMigrationRules, RefuseAClaimThatIsBoth) {
  EXPECT_EQ(pathOf(wishFor({{"a", "a"}})), "spec.migratedVolume[0].destinationClaim");
  EXPECT_EQ(pathOf(wishFor({{"a", "b"}, {"b", "c"}})), "spec.migratedVolume[1].sourceClaim");
  EXPECT_EQ(pathOf(wishFor({{"a", "c"}, {"b", "c"}})), "spec.migratedVolume[1].destinationClaim");
}

TEST(VolumeMigrationRules, RefuseAClaimOfAnotherNamespace) {
  EXPECT_EQ(pathOf(wishFor({{"a", "prod/b"}})), "spec.migratedVolume[0].destinationClaim");
}

TEST(HoldsClaim, IsSoWhileVolumesAreCopiedWithoutAGuest) {
  VolumeMigration wish = wishFor({{"a", "b"}});
  wish.spec.mechanism = Mechanism::Offline;
  wish.status.volumeMigrationStates.resize(1);
  wish.status.volumeMigrationStates[0].sourceClaim = "a";
  wish.status.volumeMigrationStates[0].destinationClaim = "b";
  using enum VolumeMigrationPhase;
  for (const auto phase : {Unset, Pending, Scheduling, Running, Succeeded, Failed}) {
    wish.status.phase = phase;
    EXPECT_EQ(holdsClaim(wish, "a"), phase == Scheduling || phase == Running);
    EXPECT_EQ(holdsClaim(wish, "b"), phase == Scheduling || phase == Running);
    EXPECT_FALSE(holdsClaim(wish, "c"));
  }
  wish.spec.mechanism = Mechanism::Auto;
  wish.status.phase = Running;
  EXPECT_FALSE(holdsClaim(wish, "a")) << "the guest has it";
}

TEST(VolumeMigrationRules, RefuseToCompareOrToKeepInSyncAcrossNodes) {
  auto wish = wishFor({{"a", "b"}});
  wish.spec.verify = true;
  wish.spec.keepInSync = "10m";
  EXPECT_TRUE(problemsOf(wish).empty());
  wish.spec.mechanism = Mechanism::AcrossNodes;
  EXPECT_EQ(problemsOf(wish).size(), 2U);
  wish.spec.keepInSync.clear();
  EXPECT_EQ(pathOf(wish), "spec.verify");
}

TEST(VolumeMigrationRules, WantATimeToBeKeptInSyncFor) {
  for (const char* time : {"soon", "10", "0s"}) {
    auto wish = wishFor({{"a", "b"}});
    wish.spec.keepInSync = time;
    EXPECT_EQ(pathOf(wish), "spec.keepInSync") << time;
  }
}

TEST(VolumeMigrationRules, WantABandwidthThatCanBe) {
  auto wish = wishFor({{"a", "b"}});
  wish.spec.options.emplace().bandwidthPerMigration = "-1";
  EXPECT_EQ(pathOf(wish), "spec.options.bandwidthPerMigration");
}

}  // namespace
}  // namespace godwit::kinds
