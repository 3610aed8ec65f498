#pragma once

#include <csignal>

#include <gtest/gtest.h>

#include "contract/hypervisor/private_nodes.hpp"

namespace godwit::hypervisor {

// Two private nodes whose daemons can be made to fail.
class LibvirtFaults : public testing::Test {
 protected:
  static void TearDownTestSuite() { nodes_.reset(); }

  void SetUp() override {
    std::string whyNot;
    if (!nodes_) nodes_ = startPrivateNodes(whyNot);
    if (!nodes_) GTEST_FAIL() << whyNot;
    world_ = makeLibvirtWorld(*nodes_);
    source_ = &world_->at(Side::Source);
    target_ = &world_->at(Side::Target);
  }

  DiskSource startGuest() {
    DiskSource disk = world_->makeBootDisk();
    EXPECT_TRUE(source_->start({.name = "guest",
                                .uuid = "8f0e3a52-5a7e-4a0c-8c2b-3f6d9a4b1c78",
                                .memoryBytes = 16 << 20,
                                .disks = {{.target = "vda", .source = disk}},
                                .consoleFile = world_->consoleFile(Side::Source)}));
    EXPECT_TRUE(writesOn(disk));
    return disk;
  }

  bool writesOn(const DiskSource& disk) {
    const auto before = world_->newestRecord(Side::Source, disk);
    return before && world_->settle([&] { return world_->newestRecord(Side::Source, disk).value_or(0) > *before; });
  }

  bool isIn(Hypervisor* side, RunState state) {
    const auto found = side->describe("guest");
    return found && found->state == state;
  }

  // Kills the daemon, and returns when another one has taken its place.
  void killDaemon(const PrivateNode& node) {
    const int before = node.daemonPid();
    kill(before, SIGKILL);
    ASSERT_TRUE(world_->settle([&] { return node.daemonPid() != 0 && node.daemonPid() != before; }));
  }

  static PrivateNodes& nodes() { return *nodes_; }

  std::unique_ptr<World> world_;
  Hypervisor* source_ = nullptr;
  Hypervisor* target_ = nullptr;

 private:
  static inline std::shared_ptr<PrivateNodes> nodes_;
};

}  // namespace godwit::hypervisor
