#include "controllers/volume/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::volume {
namespace {

// A volume in use; each test bends one thing.
Observed healthy() {
  return {.claimed = true, .claimExists = true, .claimNamesIt = true, .deleteWhenReleased = true, .madeByUs = true};
}

TEST(DecideVolume, IsBoundWhileItsClaimNamesIt) { EXPECT_EQ(decide(healthy()), (Step{"Bound", Duty::Rest})); }

TEST(DecideVolume, IsDeletedOnceItsClaimIsGone) {
  auto observed = healthy();
  observed.claimExists = observed.claimNamesIt = false;
  EXPECT_EQ(decide(observed), (Step{"Released", Duty::Delete}));
}

TEST(DecideVolume, IsKeptWhileSomebodyUsesItThoughItsClaimIsGone) {
  auto observed = healthy();
  observed.claimExists = observed.claimNamesIt = false;
  observed.inUse = true;
  EXPECT_EQ(decide(observed), (Step{"Released", Duty::Rest}));
  observed.beingDeleted = true;
  EXPECT_EQ(decide(observed), (Step{"", Duty::Rest}));
}

TEST(DecideVolume, GoesOnlyAfterItsClaim) {
  auto observed = healthy();
  observed.beingDeleted = true;
  EXPECT_EQ(decide(observed), (Step{"", Duty::Rest}));
  observed.claimNamesIt = false;
  EXPECT_EQ(decide(observed), (Step{"", Duty::Rest})) << "the claim may be about to name it";
  observed.claimExists = false;
  EXPECT_EQ(decide(observed), (Step{"", Duty::LetGo}));
}

TEST(DecideVolume, IsKeptWhenThePolicySaysRetain) {
  auto observed = healthy();
  observed.claimExists = observed.deleteWhenReleased = false;
  EXPECT_EQ(decide(observed), (Step{"Released", Duty::Rest}));
}

TEST(DecideVolume, IsKeptWhenGodwitDidNotMakeIt) {
  auto observed = healthy();
  observed.claimExists = observed.madeByUs = false;
  EXPECT_EQ(decide(observed), (Step{"Released", Duty::Rest}));
}

TEST(DecideVolume, WaitsForAClaimThatHasNotNamedItYet) {
  auto observed = healthy();
  observed.claimNamesIt = false;
  EXPECT_EQ(decide(observed), (Step{"", Duty::Rest}));
}

TEST(DecideVolume, IsAvailableWithoutAClaim) { EXPECT_EQ(decide(Observed{}), (Step{"Available", Duty::Rest})); }

}  // namespace
}  // namespace godwit::controllers::volume
