#include "controllers/migration/failure.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::migration {
namespace {

TEST(FailureOfAMigration, NamesThePhaseTheClassAndTheRemedy) {
  Observed observed;
  observed.phase = MigrationPhase::Scheduling;
  observed.target = Observed::TargetPod{.unschedulable = true, .message = "0/2 nodes are available"};
  EXPECT_EQ(failureOf({MigrationPhase::Failed, "Unschedulable"}, observed),
            (kinds::MigrationFailure{"Scheduling", "Capacity", "Unschedulable", "0/2 nodes are available",
                                     "make room on a node that reaches the guest's volumes, or add one"}));
}

TEST(FailureOfAMigration, SpeaksInTheMoversWordsWhereThatGaveUp) {
  Observed observed;
  observed.phase = MigrationPhase::Running;
  observed.stage = "Copying";
  observed.mover =
      Observed::MoverPod{.failed = true, .reason = "IncompatibleProcessor", .message = "IncompatibleProcessor: no avx"};
  const auto failure = failureOf({MigrationPhase::Failed, "MoveFailed"}, observed);
  EXPECT_EQ(failure.stage, "Copying");
  EXPECT_EQ(failure.failureClass, "Topology");
  EXPECT_EQ(failure.reason, "IncompatibleProcessor");
  EXPECT_EQ(failure.message, "IncompatibleProcessor: no avx");
}

TEST(FailureOfAMigration, IsTransientWhereNobodyKnowsBetter) {
  Observed observed;
  observed.mover = Observed::MoverPod{.failed = true, .reason = "Unheard"};
  const auto failure = failureOf({MigrationPhase::Failed, "MoveFailed"}, observed);
  EXPECT_EQ(failure.failureClass, "Transient");
  EXPECT_FALSE(failure.hint.empty());
}

}  // namespace
}  // namespace godwit::controllers::migration
