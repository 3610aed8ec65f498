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
      world = makeSimulatedWorld();
    } else {
      std::string whyNot;
      if (!nodes_) nodes_ = startPrivateNodes(whyNot);
      if (!nodes_) GTEST_SKIP() << whyNot;
      world = makeLibvirtWorld(*nodes_);
    }
    source = &world->at(Side::Source);
    target = &world->at(Side::Target);
  }

  // A guest that has begun to write, on the source.
  DiskSource startGuest() {
    const DiskSource disk = world->makeBootDisk();
    EXPECT_TRUE(source->start(specWith(disk)));
    EXPECT_TRUE(world->settle([&] { return world->newestRecord(Side::Source, disk).value_or(0) > 0; }));
    return disk;
  }

  DomainSpec specWith(const DiskSource& disk) {
    return {.name = "guest",
            .uuid = "8f0e3a52-5a7e-4a0c-8c2b-3f6d9a4b1c77",
            .owner = "vms/guest <&>",
            .memoryBytes = 16 << 20,
            .disks = {{.target = "vda", .serial = "root", .source = disk}},
            .consoleFile = world->consoleFile(Side::Source)};
  }

  MigrationOrder order() {
    return {.domain = "guest",
            .targetUri = world->uriOf(Side::Target),
            .socketDirectory = world->socketDirectory(),
            .targetConsoleFile = world->consoleFile(Side::Target)};
  }

  void beginMigration(const MigrationOrder& migration) {
    ASSERT_TRUE(source->beginMigration(migration, [this](Result<> outcome) {
      const Lock lock(mutex);
      ended = std::move(outcome);
    }));
  }

  std::optional<Result<>> outcome() {
    const Lock lock(mutex);
    return ended;
  }

  bool awaitState(Hypervisor* side, RunState state) {
    return world->settle([&] {
      const auto found = side->describe("guest");
      return found && found->state == state;
    });
  }
  bool awaitAbsence(Hypervisor* side) {
    return world->settle([&] { return isAbsent(side); });
  }
  static bool isAbsent(Hypervisor* side) {
    const auto found = side->describe("guest");
    return !found && found.error().code == Code::NotFound;
  }
  bool awaitReadyMirror() {
    return world->settle([&] {
      const auto state = source->describe("guest");
      return state && state->disks.at(0).mirror && state->disks.at(0).mirror->ready;
    });
  }
  // The guest writes on, and nothing it wrote is missing.
  bool writesOn(Side side, const DiskSource& disk) {
    const auto before = world->newestRecord(side, disk);
    return before && world->settle([&] { return world->newestRecord(side, disk).value_or(0) > *before; });
  }

  std::unique_ptr<World> world;
  Hypervisor* source = nullptr;
  Hypervisor* target = nullptr;
  Mutex mutex;
  std::optional<Result<>> ended GUARDED_BY(mutex);

 private:
  static inline std::shared_ptr<PrivateNodes> nodes_;  // of the whole suite: starting them takes seconds
};

}  // namespace godwit::hypervisor
