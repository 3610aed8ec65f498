#include "controllers/virtual_machine/decide.hpp"

#include <gtest/gtest.h>

namespace godwit::controllers::virtual_machine {
namespace {

// A machine that runs as it should; each test bends one thing.
Observed healthy() { return {.wanted = true, .instance = Observed::Instance{kinds::InstancePhase::Running}}; }

TEST(DecideVirtualMachine, RestsWhileTheInstanceRuns) { EXPECT_EQ(decide(healthy()), (Step{"Running", Duty::Rest})); }

TEST(DecideVirtualMachine, CreatesAnInstanceThatIsMissing) {
  auto observed = healthy();
  observed.instance.reset();
  EXPECT_EQ(decide(observed), (Step{"Starting", Duty::CreateInstance}));
}

TEST(DecideVirtualMachine, StopsAnInstanceThatIsNotWanted) {
  auto observed = healthy();
  observed.wanted = false;
  EXPECT_EQ(decide(observed), (Step{"Stopping", Duty::DeleteInstance}));
}

TEST(DecideVirtualMachine, IsStoppedOnceTheInstanceIsGone) {
  EXPECT_EQ(decide(Observed{}), (Step{"Stopped", Duty::Rest}));
}

TEST(DecideVirtualMachine, ReplacesAnInstanceThatFailed) {
  auto observed = healthy();
  observed.instance->phase = kinds::InstancePhase::Failed;
  EXPECT_EQ(decide(observed), (Step{"Starting", Duty::DeleteInstance}));
}

TEST(DecideVirtualMachine, WaitsForAnInstanceThatIsLeaving) {
  auto observed = healthy();
  observed.instance->beingDeleted = true;
  EXPECT_EQ(decide(observed), (Step{"Stopping", Duty::Rest}));
}

TEST(DecideVirtualMachine, SaysThatAMovingInstanceMigrates) {
  auto observed = healthy();
  observed.instance->moving = true;
  EXPECT_EQ(decide(observed), (Step{"Migrating", Duty::Rest}));
}

TEST(DecideVirtualMachine, LeavesTheInstanceOfADeletedMachineToTheGarbageCollector) {
  auto observed = healthy();
  observed.beingDeleted = true;
  EXPECT_EQ(decide(observed), (Step{"Terminating", Duty::Rest}));
}

}  // namespace
}  // namespace godwit::controllers::virtual_machine
