#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "base/log.hpp"
#include "sim/story.hpp"
#include "sim/sweep.hpp"

namespace godwit::sim {
namespace {

// What people say to the test program, or what it does by itself.
unsigned asked(const char* name, unsigned otherwise) {
  const char* said = std::getenv(name);
  return said ? static_cast<unsigned>(std::strtoul(said, nullptr, 10)) : otherwise;
}

// Thousands of simulations have nothing to say to anybody; one that is told again has.
class ControlPlaneUnderFaults : public testing::Test {
 protected:
  ControlPlaneUnderFaults() { (void)log::setLevel("error"); }
};

std::string liveUnder(unsigned seed) {
  Simulation world(seed);
  return wrongWith(world);
}

// GODWIT_SIM_SEEDS seeds, or the one that GODWIT_SIM_SEED names, with all that happens in it.
TEST_F(ControlPlaneUnderFaults, KeepsExactlyOneRunningCopyAndTellsTheTruth) {
  if (std::getenv("GODWIT_SIM_SEED")) {
    Simulation world(asked("GODWIT_SIM_SEED", 0));
    world.recount([](const std::string& line) { fmt::print("{}\n", line); });
    const std::string wrong = wrongWith(world);
    EXPECT_EQ(wrong, "") << world.describe();
    return;
  }
  const auto wrong = allWrong(0, asked("GODWIT_SIM_SEEDS", 2'000), liveUnder);
  for (const auto& [seed, what] : wrong) ADD_FAILURE() << what << "; see it with `make sim SEED=" << seed << "`";
}

// What became of a wish, seed after seed: a simulation in which nothing ever succeeds, or fails, proves little.
TEST_F(ControlPlaneUnderFaults, LetsMovesSucceedAndFail) {
  std::vector<std::set<std::string>> outcomes(100);
  eachSeed(0, 100, [&](unsigned seed) {
    Simulation world(seed);
    liveThrough(world);
    const auto add = [&](const char* name, std::string_view phase) {
      outcomes[seed].insert(fmt::format("{} {}", name, phase));
    };
    for (const char* name : {"to-shared", "to-local"})
      if (const auto wish = world.get<kinds::VolumeMigration>(name)) add(name, schema::nameOf(wish->status.phase));
    if (const auto migration = world.get<kinds::VirtualMachineInstanceMigration>("to-another-node"))
      add("to-another-node", schema::nameOf(migration->status.phase));
    return true;
  });
  std::set<std::string> all;
  for (const auto& some : outcomes) all.insert(some.begin(), some.end());
  for (const char* outcome : {"to-shared Succeeded", "to-shared Failed", "to-local Succeeded", "to-local Failed",
                              "to-another-node Succeeded"})
    EXPECT_TRUE(all.contains(outcome)) << outcome;
}

TEST_F(ControlPlaneUnderFaults, RepeatsItselfForTheSameSeed) {
  const auto different = allWrong(0, 20, [](unsigned seed) {
    Simulation once(seed);
    Simulation again(seed);
    const std::string first = wrongWith(once);
    const bool same = wrongWith(again) == first && once.trace() == again.trace() && once.steps() == again.steps();
    return same ? "" : "the second time is another story";
  });
  EXPECT_TRUE(different.empty());
}

TEST_F(ControlPlaneUnderFaults, TellsAnotherStoryForAnotherSeed) {
  Simulation once(1);
  Simulation another(2);
  liveThrough(once);
  liveThrough(another);
  EXPECT_NE(once.trace(), another.trace());
}

TEST_F(ControlPlaneUnderFaults, MovesAMachineThreeTimesWhenNothingFails) {
  Simulation world(1);
  world.createClaim("disk-0", "local");
  world.createMachine();
  ASSERT_TRUE(world.runUntil([&] { return world.machineRuns(); })) << world.violation();
  const std::string first = world.get<kinds::VirtualMachineInstance>("vm")->status.nodeName;

  world.createClaim("disk-1", "shared");
  world.moveVolume("to-shared", "disk-0", "disk-1", kinds::Mechanism::Auto);
  ASSERT_TRUE(world.runUntil([&] { return ended<kinds::VolumeMigration>(world, "to-shared"); })) << world.violation();
  auto wish = world.get<kinds::VolumeMigration>("to-shared");
  EXPECT_EQ(wish->status.phase, kinds::VolumeMigrationPhase::Succeeded) << wish->status.godwit.message;
  EXPECT_EQ(wish->status.godwit.mechanism, "InPlace");
  EXPECT_EQ(world.get<kinds::VirtualMachineInstance>("vm")->status.nodeName, first);
  EXPECT_EQ(world.get<kinds::VirtualMachine>("vm")->spec.instance.spec.volumes[0].claim(), "disk-1");

  world.migrate("away");
  ASSERT_TRUE(world.runUntil([&] { return ended<kinds::VirtualMachineInstanceMigration>(world, "away"); }));
  EXPECT_EQ(world.get<kinds::VirtualMachineInstanceMigration>("away")->status.phase, kinds::MigrationPhase::Succeeded);
  const std::string second = world.get<kinds::VirtualMachineInstance>("vm")->status.nodeName;
  EXPECT_NE(second, first);

  world.createClaim("disk-2", "local");
  world.moveVolume("to-local", "disk-1", "disk-2", kinds::Mechanism::AcrossNodes);
  ASSERT_TRUE(world.runUntil([&] { return ended<kinds::VolumeMigration>(world, "to-local"); })) << world.violation();
  EXPECT_EQ(world.get<kinds::VolumeMigration>("to-local")->status.phase, kinds::VolumeMigrationPhase::Succeeded);
  EXPECT_NE(world.get<kinds::VirtualMachineInstance>("vm")->status.nodeName, second);
  EXPECT_EQ(world.violation(), "");
}

}  // namespace
}  // namespace godwit::sim
