#include "cli/migrate.hpp"

#include <gtest/gtest.h>

namespace godwit::cli {
namespace {

using kinds::MigrationPhase;

kinds::VirtualMachineInstanceMigration running(const kinds::MoveProgress& progress) {
  kinds::VirtualMachineInstanceMigration migration;
  migration.status.phase = MigrationPhase::Running;
  migration.status.godwit.progress = progress;
  return migration;
}

TEST(DrawProgress, ShowsBytesRateAndTimeOfDisksAndMemory) {
  kinds::MoveProgress progress;
  progress.disksDone = 24 << 20;
  progress.disksTotal = 32 << 20;
  progress.memoryTotal = 16 << 20;
  progress.bytesPerSecond = 3 << 19;
  progress.secondsLeft = 16;
  EXPECT_EQ(drawProgress(running(progress)),
            "[############............]  disks 24.0/32.0 MiB  memory 0.0/16.0 MiB  1.5 MiB/s  16 s left");
}

TEST(DrawProgress, SaysWhatWouldHelpAMoveThatDoesNotConverge) {
  kinds::MoveProgress progress;
  progress.memoryDone = progress.memoryTotal = 1 << 20;
  progress.advice = "raise spec.options.bandwidthPerMigration";
  EXPECT_EQ(drawProgress(running(progress)),
            "[########################]  memory 1.0/1.0 MiB  does not converge: raise "
            "spec.options.bandwidthPerMigration");
}

TEST(DrawProgress, NeverLeavesItsFrame) {
  kinds::MoveProgress progress;
  progress.memoryDone = 5;
  progress.memoryTotal = 1;
  EXPECT_TRUE(drawProgress(running(progress)).starts_with("[########################]  "));
}

TEST(DrawProgress, TellsWhyItHasNotBegun) {
  kinds::VirtualMachineInstanceMigration migration;
  migration.status.phase = MigrationPhase::Pending;
  migration.status.godwit.reason = "WaitingForTurn";
  migration.status.godwit.message = "2 are ahead";
  EXPECT_EQ(drawProgress(migration), "[........................]  Pending: WaitingForTurn, 2 are ahead");
}

TEST(DrawProgress, EndsWithTheNodeAndTheTimeThatItTook) {
  auto migration = running({});
  migration.status.phase = MigrationPhase::Succeeded;
  migration.status.migrationState.emplace().targetNode = "node-2";
  migration.status.godwit.progress->downtimeMs = 41;
  EXPECT_EQ(drawProgress(migration), "[########################]  on node-2, stood still for 41 ms");
}

TEST(DrawProgress, EndsWithTheReasonOfAFailure) {
  kinds::VirtualMachineInstanceMigration migration;
  migration.status.phase = MigrationPhase::Failed;
  migration.status.godwit.reason = "NoMatchingNode";
  migration.status.godwit.message = "node node-9 does not exist";
  EXPECT_EQ(drawProgress(migration), "Failed: NoMatchingNode: node node-9 does not exist");
}

}  // namespace
}  // namespace godwit::cli
