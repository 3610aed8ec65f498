#include <gtest/gtest.h>

#include "controllers/migration/reconciler.hpp"
#include "sim/simulation.hpp"

namespace godwit::sim {
namespace {

constexpr Simulation::Limits kLimits{.inCluster = 3, .fromNode = 2, .toNode = 1};

// Two nodes are drained at once, with faults, and taken back. Names what did not end, or nothing.
std::string drainTwoNodes(Simulation& world) {
  world.createCrowd(6, kLimits);
  if (!world.runUntil([&] { return world.crowdRests(); })) return "the guests do not start";
  world.setFaults(true);
  world.drain("node-1");
  world.drain("node-2");
  world.runUntil([&] { return world.crowdRests(); }, 6'000);
  world.liftCordons();
  world.drain("node-3");
  world.runUntil([&] { return world.crowdRests(); }, 6'000);
  world.setFaults(false);
  world.liftCordons();
  return world.runUntil([&] { return world.crowdRests(); }, 80'000) ? "" : "the guests do not come to rest";
}

class LimitsUnderFaults : public testing::TestWithParam<unsigned> {};

TEST_P(LimitsUnderFaults, AreNeverExceeded) {
  Simulation world(GetParam());
  const std::string stuck = drainTwoNodes(world);
  EXPECT_EQ(world.violation(), "") << "seed " << GetParam();
  EXPECT_EQ(stuck, "") << "seed " << GetParam() << "\n" << world.describe();
}

INSTANTIATE_TEST_SUITE_P(Seeds, LimitsUnderFaults, testing::Range(0u, 40u));

TEST(Limits, AreReachedInTheSimulation) {
  Simulation world(3);
  drainTwoNodes(world);
  EXPECT_EQ(world.mostAtATime(), kLimits.inCluster);
}

// A migration controller that does not wait for its turn.
class GoesAtOnce final : public controllers::migration::Reconciler {
 public:
  using Reconciler::Reconciler;

  Result<control::Again> reconcile(const object::Key& key) override {
    auto scene = TRY(look(key));
    if (!scene) return control::Again{};
    TRY(describe(*scene));
    scene->observed.queue.reset();
    const auto step = controllers::migration::decide(scene->observed);
    TRY(note(*scene, step));
    TRY(record(*scene));
    TRY(perform(*scene, controllers::migration::dutyOf(step.phase, scene->observed)));
    return control::Again{};
  }
};

TEST(Limits, AreMissedWhenNobodyWaits) {
  Simulation world(
      3, {.controllers = {.migrations = [](controllers::World& w) { return std::make_unique<GoesAtOnce>(w); }}});
  drainTwoNodes(world);
  EXPECT_NE(world.violation(), "");
}

}  // namespace
}  // namespace godwit::sim
