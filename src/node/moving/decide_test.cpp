#include "node/moving/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::node::moving {
namespace {

// A mover at work; each test bends one thing.
Observed healthy() { return {.running = true, .alive = true}; }

TEST(DecideMovingPod, LetsAMoverWork) { EXPECT_EQ(decide(healthy()), (Step{"", Duty::Rest})); }

TEST(DecideMovingPod, PutsRunningOnRecordBeforeTheMoverStarts) {
  EXPECT_EQ(decide({}), (Step{"Running", Duty::Start}));
  EXPECT_EQ(decide({.running = true}), (Step{"", Duty::Start}));
}

TEST(DecideMovingPod, StartsADeadMoverAgain) {
  auto observed = healthy();
  observed.alive = false;
  EXPECT_EQ(decide(observed), (Step{"", Duty::Start}));
}

TEST(DecideMovingPod, EndsAsTheMoverSays) {
  auto observed = healthy();
  observed.hasVerdict = observed.moved = true;
  EXPECT_EQ(decide(observed), (Step{"Succeeded", Duty::Rest}));
  observed.moved = false;
  EXPECT_EQ(decide(observed), (Step{"Failed", Duty::Rest}));
}

TEST(DecideMovingPod, PassesACancelOn) {
  auto observed = healthy();
  observed.cancelRequested = true;
  EXPECT_EQ(decide(observed), (Step{"", Duty::Cancel}));
}

TEST(DecideMovingPod, TellsTheMoverThatItsTargetIsDead) {
  auto observed = healthy();
  observed.cancelRequested = observed.targetDead = true;
  EXPECT_EQ(decide(observed), (Step{"", Duty::TellTargetDead}));
}

TEST(DecideMovingPod, IsNotLetGoBeforeItsMoverHasEnded) {
  auto observed = healthy();
  observed.beingDeleted = true;
  EXPECT_EQ(decide(observed), (Step{"", Duty::Cancel}));
  observed.hasVerdict = true;
  EXPECT_EQ(decide(observed), (Step{"", Duty::Release}));
}

}  // namespace
}  // namespace godwit::node::moving
