#include "controllers/claim/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::claim {
namespace {

TEST(DecideClaim, KeepsAFittingVolumeBeforeTheClaimNamesIt) {
  EXPECT_EQ(decide({.fittingVolumeFree = true}), (Step{"Pending", "Binding", Duty::KeepVolume}));
  EXPECT_EQ(decide({.volumeKeptForIt = true}), (Step{"Pending", "Binding", Duty::NameVolume}));
  EXPECT_EQ(decide({.volumeNamed = true, .namedVolumeExists = true}), (Step{"Bound", "Bound", Duty::ConfirmBinding}));
}

TEST(DecideClaim, RestsOnceItIsBound) {
  EXPECT_EQ(decide({.bound = true, .volumeNamed = true, .namedVolumeExists = true}),
            (Step{"Bound", "Bound", Duty::Rest}));
}

// A claim that asks for more than it has got; each test bends one thing.
Observed asking() {
  return {.bound = true, .volumeNamed = true, .namedVolumeExists = true, .asksForMore = true, .mayGrow = true};
}

TEST(DecideClaim, RaisesTheCapacityOfItsVolumeAndWaitsUntilTheVolumeHasGrown) {
  Observed observed = asking();
  EXPECT_EQ(decide(observed), (Step{"Bound", "Bound", Duty::RaiseCapacity, "Resizing"}));
  observed.asksForMore = false;
  observed.growing = true;
  EXPECT_EQ(decide(observed), (Step{"Bound", "Bound", Duty::Rest, "Resizing"}));
  observed.growing = false;
  EXPECT_EQ(decide(observed), (Step{"Bound", "Bound", Duty::Rest}));
}

TEST(DecideClaim, GrowsStepByStep) {
  Observed observed = asking();
  observed.growing = true;
  EXPECT_EQ(decide(observed), (Step{"Bound", "Bound", Duty::Rest, "Resizing"}));
}

TEST(DecideClaim, DoesNotGrowUnderAGuestThatIsBeingMoved) {
  Observed observed = asking();
  observed.userMoves = true;
  EXPECT_EQ(decide(observed), (Step{"Bound", "Bound", Duty::Rest, "WaitingForMove"}));
}

TEST(DecideClaim, DoesNotGrowWhereItsVolumeCannot) {
  Observed observed = asking();
  observed.mayGrow = false;
  EXPECT_EQ(decide(observed), (Step{"Bound", "Bound", Duty::Rest}));
}

TEST(DecideClaim, MakesAVolumeWhenNoneFits) {
  EXPECT_EQ(decide({.classIsOurs = true}), (Step{"Pending", "Provisioning", Duty::Provision}));
}

TEST(DecideClaim, WaitsForAConsumerBeforeItTakesAnyVolume) {
  EXPECT_EQ(decide({.fittingVolumeFree = true, .classIsOurs = true, .waitsForConsumer = true}),
            (Step{"Pending", "WaitForFirstConsumer", Duty::Rest}));
}

TEST(DecideClaim, GoesOnOnceTheConsumersNodeIsChosen) {
  EXPECT_EQ(decide({.classIsOurs = true, .waitsForConsumer = true, .nodeChosen = true}).duty, Duty::Provision);
}

TEST(DecideClaim, SaysThatItsVolumeIsLost) {
  EXPECT_EQ(decide({.bound = true, .volumeNamed = true}), (Step{"Lost", "VolumeLost", Duty::Rest}));
}

TEST(DecideClaim, SaysWhyNoVolumeIsMade) {
  EXPECT_EQ(decide({.classNamed = true}), (Step{"Pending", "ClassNotFound", Duty::Rest}));
  EXPECT_EQ(decide({.classNamed = true, .classExists = true}), (Step{"Pending", "NoVolumeFits", Duty::Rest}));
  EXPECT_EQ(decide({.classIsOurs = true, .cannotBeMade = true}), (Step{"Pending", "ProvisioningFailed", Duty::Rest}));
  EXPECT_EQ(decide({.fittingVolumeFree = true, .classNamed = true}).duty, Duty::KeepVolume)
      << "a volume may name a class that nobody has made";
}

TEST(DecideClaim, KeepsAVolumeThatItNamesBeforeItIsBoundToIt) {
  Observed observed{.volumeNamed = true, .namedVolumeExists = true, .namedVolumeFree = true};
  EXPECT_EQ(decide(observed), (Step{"Pending", "Binding", Duty::KeepVolume}));
  observed.namedVolumeFree = false;
  observed.namedVolumeTaken = true;
  EXPECT_EQ(decide(observed), (Step{"Pending", "VolumeTaken", Duty::Rest}));
}

TEST(DecideClaim, GetsNoVolumeWhileItIsLeaving) {
  EXPECT_EQ(decide({.beingDeleted = true, .inUse = true, .classIsOurs = true}).duty, Duty::Rest);
}

TEST(DecideClaim, GoesOnlyWhenNobodyUsesIt) {
  Observed observed{.beingDeleted = true, .inUse = true, .bound = true, .volumeNamed = true, .namedVolumeExists = true};
  EXPECT_EQ(decide(observed), (Step{"Bound", "Bound", Duty::Rest}));
  observed.inUse = false;
  EXPECT_EQ(decide(observed), (Step{"", "Deleted", Duty::LetGo}));
}

}  // namespace
}  // namespace godwit::controllers::claim
