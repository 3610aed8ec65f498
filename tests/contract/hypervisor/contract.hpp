#pragma once

#include <gtest/gtest.h>

#include "base/mutex.hpp"
#include "contract/hypervisor/world.hpp"

// What every hypervisor must do, whatever runs the guests. Each test starts in a world without guests.
namespace godwit::hypervisor {

enum class Backend { Simulated, Libvirt };

class HypervisorContract : public testing::TestWithParam<Backend> {
 protected:
  static void TearDownTestSuite() { nodes_.reset(); }

  void SetUp() override {
    if (GetParam() == Backend::Simulated) {
      world_ = makeSimulatedWorld();
    } else {
      std::string whyNot;
      if (!nodes_) nodes_ = startPrivateNodes(whyNot);
      if (!nodes_) GTEST_FAIL() << whyNot;
      world_ = makeLibvirtWorld(*nodes_);
    }
    source_ = &world_->at(Side::Source);
    target_ = &world_->at(Side::Target);
  }

  // A guest that has begun to write, on the source.
  DiskSource startGuest() {
    DiskSource disk = world_->makeBootDisk();
    EXPECT_TRUE(source_->start(specWith(disk)));
    EXPECT_TRUE(world_->settle([&] { return world_->newestRecord(Side::Source, disk).value_or(0) > 0; }));
    return disk;
  }

  DomainSpec specWith(const DiskSource& disk) {
    return {.name = "guest",
            .uuid = "8f0e3a52-5a7e-4a0c-8c2b-3f6d9a4b1c77",
            .owner = "vms/guest <&>",
            .memoryBytes = 16 << 20,
            .disks = {{.target = "vda", .serial = "root", .source = disk}},
            .consoleFile = world_->consoleFile(Side::Source)};
  }

  MigrationOrder order() {
    return {.domain = "guest",
            .targetUri = world_->uriOf(Side::Target),
            .socketDirectory = world_->socketDirectory(),
            .targetConsoleFile = world_->consoleFile(Side::Target)};
  }

  void beginMigration(const MigrationOrder& migration) {
    ASSERT_TRUE(source_->beginMigration(migration, [this](Result<> outcome) {
      const Lock lock(mutex_);
      ended_ = std::move(outcome);
    }));
  }

  std::optional<Result<>> outcome() {
    const Lock lock(mutex_);
    return ended_;
  }

  bool awaitState(Hypervisor* side, RunState state) {
    return world_->settle([&] {
      const auto found = side->describe("guest");
      return found && found->state == state;
    });
  }
  bool awaitAbsence(Hypervisor* side) {
    return world_->settle([&] { return isAbsent(side); });
  }
  static bool isAbsent(Hypervisor* side) {
    const auto found = side->describe("guest");
    return !found && found.error().code == Code::NotFound;
  }
  bool awaitMemoryOnItsWay() {
    return world_->settle([&] {
      const auto state = source_->describe("guest");
      return state && state->outgoing && state->outgoing->memorySent > 0;
    });
  }
  bool awaitReadyMirror() {
    return world_->settle([&] {
      const auto state = source_->describe("guest");
      return state && state->disks.at(0).mirror && state->disks.at(0).mirror->ready;
    });
  }
  // The guest writes on, and nothing it wrote is missing.
  bool writesOn(Side side, const DiskSource& disk) {
    const auto before = world_->newestRecord(side, disk);
    return before && world_->settle([&] { return world_->newestRecord(side, disk).value_or(0) > *before; });
  }

  std::unique_ptr<World> world_;
  Hypervisor* source_ = nullptr;
  Hypervisor* target_ = nullptr;
  Mutex mutex_;
  std::optional<Result<>> ended_ GUARDED_BY(mutex_);

 private:
  static inline std::shared_ptr<PrivateNodes> nodes_;  // of the whole suite: starting them takes seconds
};

}  // namespace godwit::hypervisor
