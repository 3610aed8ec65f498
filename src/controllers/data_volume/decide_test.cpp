#include "controllers/data_volume/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::data_volume {
namespace {

using namespace std::chrono_literals;
using PodPhase = Observed::PodPhase;
using Source = Observed::Source;
using enum DataVolumePhase;

// A download under way; each test bends one thing.
Observed healthy() {
  Observed observed;
  observed.claimExists = observed.claimIsOurs = observed.claimBound = true;
  observed.pod = Observed::Pod{PodPhase::Running};
  return observed;
}

TEST(DecideDataVolume, LetsTheImporterWork) {
  EXPECT_EQ(decide(healthy()), (Step{ImportInProgress, "Running", Duty::Rest}));
}

TEST(DecideDataVolume, MakesTheClaimAndThenThePod) {
  EXPECT_EQ(decide({}), (Step{Pending, "CreatingClaim", Duty::CreateClaim}));
  auto observed = healthy();
  observed.pod.reset();
  EXPECT_EQ(decide(observed), (Step{ImportScheduled, "CreatingPod", Duty::CreatePod}));
  observed.pod.emplace();
  EXPECT_EQ(decide(observed), (Step{ImportScheduled, "WaitingForNode", Duty::Rest}));
}

TEST(DecideDataVolume, TakesNoDiskAwayFromAGuest) {
  auto observed = healthy();
  observed.beingDeleted = observed.usedByGuest = true;
  EXPECT_EQ(decide(observed), (Step{Unset, "WaitingForGuest", Duty::Rest}));
  observed.usedByGuest = false;
  EXPECT_EQ(decide(observed), (Step{Unset, "Deleted", Duty::TearDown}));
}

TEST(DecideDataVolume, SucceedsWithThePodAndRemovesItOnlyWhenThatIsOnRecord) {
  auto observed = healthy();
  observed.pod->phase = PodPhase::Succeeded;
  EXPECT_EQ(decide(observed), (Step{Succeeded, "Completed", Duty::Rest}));
  observed.succeeded = true;
  EXPECT_EQ(decide(observed), (Step{Succeeded, "Completed", Duty::RemovePods}));
}

TEST(DecideDataVolume, BeginsAgainAfterAWhile) {
  auto observed = healthy();
  observed.pod->phase = PodPhase::Failed;
  EXPECT_EQ(decide(observed), (Step{ImportScheduled, "", Duty::Rest}));
  observed.pod->endedFor = 10s;
  EXPECT_EQ(decide(observed), (Step{ImportScheduled, "", Duty::BeginAgain}));
  observed.restarts = 1;
  EXPECT_EQ(decide(observed), (Step{ImportScheduled, "", Duty::Rest}));
}

TEST(DecideDataVolume, WaitsTwiceAsLongEveryTimeUpToFiveMinutes) {
  EXPECT_EQ(waitAfter(0), 10s);
  EXPECT_EQ(waitAfter(1), 20s);
  EXPECT_EQ(waitAfter(4), 160s);
  EXPECT_EQ(waitAfter(1'000'000), 300s);
}

TEST(DecideDataVolume, LeavesAClaimOfOthersAlone) {
  auto observed = healthy();
  observed.pod.reset();
  observed.claimIsOurs = false;
  EXPECT_EQ(decide(observed), (Step{Pending, "ClaimExists", Duty::Rest}));
}

TEST(DecideDataVolume, WaitsForSomebodyWhoNeedsTheVolume) {
  auto observed = healthy();
  observed.pod.reset();
  observed.claimBound = false;
  observed.waitsForConsumer = true;
  EXPECT_EQ(decide(observed), (Step{WaitForFirstConsumer, "WaitingForConsumer", Duty::Rest}));
  observed.claimBound = true;
  EXPECT_EQ(decide(observed), (Step{ImportScheduled, "CreatingPod", Duty::CreatePod}));
}

TEST(DecideDataVolume, NeedsNobodyToFillABlankOne) {
  Observed observed = healthy();
  observed.pod.reset();
  observed.source = Source::Blank;
  EXPECT_EQ(decide(observed), (Step{Succeeded, "Completed", Duty::Rest}));
  observed.claimBound = false;
  EXPECT_EQ(decide(observed), (Step{Pending, "WaitingForClaim", Duty::Rest}));
}

TEST(DecideDataVolume, CopiesWhatNobodyChanges) {
  auto observed = healthy();
  observed.source = Source::Copy;
  EXPECT_EQ(decide(observed), (Step{CloneInProgress, "Running", Duty::Rest}));
  observed.pod.reset();
  observed.sourceReady = false;
  EXPECT_EQ(decide(observed), (Step{CloneScheduled, "WaitingForSource", Duty::Rest}));
  observed.claimExists = false;
  EXPECT_EQ(decide(observed), (Step{CloneScheduled, "WaitingForSource", Duty::Rest}));
}

TEST(DecideDataVolume, IsReadyForAnUploadOnceSomebodyListens) {
  auto observed = healthy();
  observed.source = Source::Upload;
  EXPECT_EQ(decide(observed), (Step{UploadReady, "UploadReady", Duty::Rest}));
  observed.pod->ready = false;
  EXPECT_EQ(decide(observed), (Step{UploadScheduled, "WaitingForImporter", Duty::Rest}));
  observed.pod.reset();
  EXPECT_EQ(decide(observed), (Step{UploadScheduled, "CreatingPod", Duty::CreatePod}));
}

TEST(DecideDataVolume, SaysThatAnUploadFailedAndTakesAnotherSoon) {
  auto observed = healthy();
  observed.source = Source::Upload;
  observed.restarts = 7;
  observed.pod->phase = PodPhase::Failed;
  EXPECT_EQ(decide(observed), (Step{Failed, "", Duty::Rest}));
  observed.pod->endedFor = 10s;
  EXPECT_EQ(decide(observed), (Step{UploadScheduled, "", Duty::BeginAgain}));
}

TEST(DecideDataVolume, DoesNothingThatItCannotRead) {
  Observed observed;
  observed.invalid = true;
  EXPECT_EQ(decide(observed), (Step{Pending, "Invalid", Duty::Rest}));
}

TEST(DecideDataVolume, TakesEverythingBackWhenItIsDeleted) {
  auto observed = healthy();
  observed.beingDeleted = true;
  EXPECT_EQ(decide(observed), (Step{Unset, "Deleted", Duty::TearDown}));
}

}  // namespace
}  // namespace godwit::controllers::data_volume
