#include "node/importing/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::node::importing {
namespace {

// An importer at work; each test bends one thing.
Observed healthy() { return {.running = true, .alive = true}; }

TEST(DecideImportingPod, LetsAnImporterWork) { EXPECT_EQ(decide(healthy()), (Step{"", Duty::Rest})); }

TEST(DecideImportingPod, HasOrdersAndRunningOnRecordBeforeTheImporterStarts) {
  EXPECT_EQ(decide({}), (Step{"", Duty::GiveOrders}));
  EXPECT_EQ(decide({.running = true}), (Step{"", Duty::Start}));
}

TEST(DecideImportingPod, StartsADeadImporterAgain) {
  auto observed = healthy();
  observed.alive = false;
  EXPECT_EQ(decide(observed), (Step{"", Duty::Start}));
}

TEST(DecideImportingPod, IsReadyOnceItsImporterWaitsForAnUpload) {
  auto observed = healthy();
  observed.waiting = true;
  EXPECT_EQ(decide(observed), (Step{"", Duty::SayReady}));
  observed.ready = true;
  EXPECT_EQ(decide(observed), (Step{"", Duty::Rest}));
}

TEST(DecideImportingPod, EndsAsTheImporterSaysOnceThatHasEnded) {
  auto observed = healthy();
  observed.hasVerdict = observed.filled = true;
  EXPECT_EQ(decide(observed), (Step{"", Duty::Rest}));
  observed.alive = false;
  EXPECT_EQ(decide(observed), (Step{"Succeeded", Duty::Rest}));
  observed.filled = false;
  EXPECT_EQ(decide(observed), (Step{"Failed", Duty::Rest}));
}

TEST(DecideImportingPod, IsNotLetGoBeforeItsImporterHasCleanedUp) {
  auto observed = healthy();
  observed.beingDeleted = true;
  EXPECT_EQ(decide(observed), (Step{"", Duty::Cancel}));
  observed.alive = false;
  EXPECT_EQ(decide(observed), (Step{"", Duty::Start}));
  observed.hasVerdict = true;
  EXPECT_EQ(decide(observed), (Step{"", Duty::Release}));
}

TEST(DecideImportingPod, IsLetGoWhenItHasNotBegun) {
  EXPECT_EQ(decide({.beingDeleted = true}), (Step{"", Duty::Release}));
}

}  // namespace
}  // namespace godwit::node::importing
