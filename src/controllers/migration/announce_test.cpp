#include "controllers/migration/announce.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::migration {
namespace {

using Names = std::vector<std::string_view>;

Names told(const Observed& observed, const Step& step) {
  Names names;
  for (const auto& one : announcementsOf(step, observed)) names.push_back(one.reason);
  return names;
}

Observed standing(MigrationPhase phase, std::string reason) {
  Observed observed;
  observed.phase = phase;
  observed.reason = std::move(reason);
  observed.target = Observed::TargetPod{.name = "virt-launcher-web-1", .node = "node-2"};
  return observed;
}

TEST(AnnouncementsOfAMigration, AreMadeOnceForEachStep) {
  using enum kinds::MigrationPhase;
  EXPECT_EQ(told(standing(Scheduling, "WaitingForNode"), {Scheduled, "TargetBound"}), Names{"SuccessfulCreate"});
  EXPECT_EQ(told(standing(Scheduled, "HandingOff"), {PreparingTarget, "PreparingTarget"}), Names{"SuccessfulHandOver"});
  EXPECT_EQ(told(standing(Running, "Moving"), {Running, "Moving"}), Names{});
  EXPECT_EQ(told(standing(Running, "Moving"), {Running, "Cancelling"}), Names{"SuccessfulAbortMigration"});
  EXPECT_EQ(told(standing(Scheduling, "WaitingForNode"), {Scheduling, "Unschedulable"}),
            Names{"migrationTargetPodUnschedulable"});
}

TEST(AnnouncementsOfAMigration, TellOfItsEnd) {
  using enum kinds::MigrationPhase;
  EXPECT_EQ(told(standing(Running, "HandingOver"), {Succeeded, "Completed"}),
            (Names{"SuccessfulMigration", "Migrated"}));
  EXPECT_EQ(told(standing(Pending, "Accepted"), {Failed, "Cancelled"}), Names{"FailedMigration"});
  EXPECT_EQ(told(standing(Running, "Moving"), {Failed, "SourceDied"}), (Names{"FailedMigration", "Migrated"}));
}

TEST(AnnouncementsOfAMigration, SayThatACancelCameTooLate) {
  using enum kinds::MigrationPhase;
  auto observed = standing(Running, "HandingOver");
  observed.cancelRequested = true;
  EXPECT_EQ(told(observed, {Succeeded, "Completed"}),
            (Names{"SuccessfulMigration", "Migrated", "FailedAbortMigration", "FailedAbortMigration"}));
}

}  // namespace
}  // namespace godwit::controllers::migration
