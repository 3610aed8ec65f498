#include "mover/mover.hpp"

#include <gtest/gtest.h>

#include "hypervisor/simulated/fabric.hpp"

namespace godwit::mover {
namespace {

// A guest on one of two hosts, about to move to the other with the disk that both reach.
class MoveBetweenTwoHosts : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* host : {"source", "target"}) fabric.addHost(host);
    fabric.createImage("", "/disk", 1 << 20);
  }

  std::optional<Entry> move() {
    source = fabric.connect(fabric.uriOf("source")).value();
    target = fabric.connect(fabric.uriOf("target")).value();
    EXPECT_TRUE(source->start({.name = "guest",
                               .uuid = "8f0e3a52",
                               .memoryBytes = 1 << 20,
                               .disks = {{.target = "vda", .source = {.path = "/disk"}}}}));
    Orders orders;
    orders.domain = "guest";
    orders.targetUri = fabric.uriOf("target");
    Mover mover(orders, {.source = *source, .target = *target, .journal = journal}, [] {});
    for (int steps = 0; steps < 1000; ++steps) {
      if (auto verdict = mover.step(); verdict && *verdict) return *verdict;
      fabric.step(random);
    }
    return std::nullopt;
  }

  SeededRandom random{1};
  hypervisor::simulated::SimulatedFabric fabric;
  std::unique_ptr<hypervisor::Hypervisor> source, target;
  MemoryJournal journal;
};

TEST_F(MoveBetweenTwoHosts, EndsWhereTheProcessorHasAllThatTheGuestCountsOn) {
  fabric.setFeatures("source", {"avx"});
  fabric.setFeatures("target", {"avx", "avx512f"});
  EXPECT_EQ(move(), (Entry{Stage::Moved, "Completed", ""}));
}

TEST_F(MoveBetweenTwoHosts, IsNotBegunWhereFeaturesAreLackingAndNamesThem) {
  fabric.setFeatures("source", {"avx", "avx512f", "vmx"});
  fabric.setFeatures("target", {"avx"});
  EXPECT_EQ(move(), (Entry{Stage::NotMoved, "IncompatibleProcessor",
                           "the processor of the target lacks features that the guest has: avx512f, vmx"}));
  EXPECT_FALSE(target->describe("guest"));
  EXPECT_EQ(source->describe("guest")->state, hypervisor::RunState::Running);
}

}  // namespace
}  // namespace godwit::mover
