#include "hypervisor/simulated/fabric.hpp"

#include <gtest/gtest.h>

namespace godwit::hypervisor::simulated {
namespace {

constexpr std::int64_t kSize = 64 << 20;

// Two hosts, one running guest on "a" whose disk both reach, and the simplest mover that is safe.
class Moving : public testing::TestWithParam<unsigned> {
 protected:
  Moving() {
    for (const char* host : {"a", "b"}) fabric.addHost(host);
    a = fabric.connect("simulated://a").value();
    b = fabric.connect("simulated://b").value();
    fabric.createImage("", "/shared.img", kSize);
    fabric.createImage("b", "/copy.img", kSize);
    EXPECT_TRUE(a->start({.name = "g",
                          .uuid = "u",
                          .owner = "o",
                          .memoryBytes = 16 << 20,
                          .disks = {{.target = "vda", .source = {.path = "/shared.img"}}},
                          .consoleFile = ""}));
  }

  MigrationOrder order() {
    return {
        .domain = "g", .targetUri = "simulated://b", .socketDirectory = "", .targetConsoleFile = "", .copyDisks = {}};
  }
  MigrationOrder copyingOrder() {
    MigrationOrder copying = order();
    copying.copyDisks["vda"] = {.path = "/copy.img"};
    return copying;
  }

  bool settle(const std::function<bool()>& holds) {
    for (int i = 0; i < 1'000 && !holds(); ++i) fabric.step(random);
    return holds();
  }
  static bool isIn(Hypervisor& host, RunState state) {
    const auto found = host.describe("g");
    return found && found->state == state;
  }
  static bool isAbsent(Hypervisor& host) {
    const auto found = host.describe("g");
    return !found && found.error().code == Code::NotFound;
  }

  // Sees a begun move to its end by looking at both sides only; a call that fails is made again later.
  void finishMove() {
    if (isIn(*b, RunState::Running)) {
      (void)a->fence("g");
    } else if (isIn(*b, RunState::Paused)) {
      const auto fencing = a->fence("g");
      if (fencing && *fencing == Fencing::Fenced) (void)b->resume("g");
      if (fencing && *fencing == Fencing::StillRunning) (void)b->destroy("g");
    } else if (isAbsent(*b) && isIn(*a, RunState::InTransit)) {
      (void)a->resume("g");
    }
  }

  void disturb() {
    if (!random.chance(5)) return;
    const std::string host = random.chance(2) ? "a" : "b";
    switch (random.below(5)) {
      case 0:
        return fabric.killDaemon(host);
      case 1:
        return fabric.startDaemon(host);
      case 2:
        return fabric.stallDaemon(host);
      case 3:
        return fabric.continueDaemon(host);
      case 4:
        (void)a->cancelMigration("g");
    }
  }

  void heal() {
    for (const char* host : {"a", "b"}) {
      fabric.startDaemon(host);
      fabric.continueDaemon(host);
    }
  }

  SimulatedFabric fabric;
  SeededRandom random{GetParam()};
  std::unique_ptr<Hypervisor> a;
  std::unique_ptr<Hypervisor> b;
};

TEST_P(Moving, NeverRunsTwiceAndForgetsNothingHoweverTheDaemonsFail) {
  ASSERT_TRUE(a->beginMigration(random.chance(2) ? order() : copyingOrder(), [](Result<>) {}));
  for (int i = 0; i < 60; ++i) {
    disturb();
    finishMove();
    fabric.step(random);
    ASSERT_LE(fabric.runningCopies("g"), 1) << "step " << i;
  }
  heal();
  ASSERT_TRUE(settle([&] {
    finishMove();
    return fabric.runningCopies("g") == 1 && (isAbsent(*a) || isAbsent(*b)) &&
           !a->describe("g").value_or(DomainState{}).outgoing;
  }));
  Hypervisor& home = isAbsent(*a) ? *b : *a;
  const std::string disk = home.describe("g")->disks.at(0).source.path;
  const auto content = fabric.inspectImage(isAbsent(*a) ? "b" : "a", disk);
  EXPECT_EQ(content->newestRecord, fabric.acknowledgedRecord("u"));
  EXPECT_TRUE(content->whole);
  EXPECT_EQ(fabric.violations(), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(Seeds, Moving, testing::Range(0u, 500u));

class Fabric : public Moving {};

TEST_P(Fabric, SeesTwoCopiesThatWriteOneDisk) {
  ASSERT_TRUE(b->start({.name = "g",
                        .uuid = "u",
                        .owner = "o",
                        .memoryBytes = 1,
                        .disks = {{.target = "vda", .source = {.path = "/shared.img"}}},
                        .consoleFile = ""}));
  fabric.step(random);
  EXPECT_EQ(fabric.runningCopies("g"), 2);
  EXPECT_FALSE(fabric.violations().empty());
}

TEST_P(Fabric, SeesRecordsThatWereForgotten) {
  settle([&] { return fabric.acknowledgedRecord("u") == 5; });
  ASSERT_TRUE(a->destroy("g"));
  fabric.createImage("", "/shared.img", kSize);
  ASSERT_TRUE(b->start({.name = "g",
                        .uuid = "u",
                        .owner = "o",
                        .memoryBytes = 1,
                        .disks = {{.target = "vda", .source = {.path = "/shared.img"}}},
                        .consoleFile = ""}));
  fabric.step(random);
  EXPECT_EQ(fabric.violations(), std::vector<std::string>{"b/g writes record 1 after 5"});
}

TEST_P(Fabric, LosesTheGuestsOfAHostWithoutPowerAndKeepsTheirDisks) {
  settle([&] { return fabric.acknowledgedRecord("u") == 5; });
  fabric.cutPower("a");
  EXPECT_EQ(fabric.runningCopies("g"), 0);
  EXPECT_EQ(a->list().error().code, Code::Unavailable);
  fabric.restorePower("a");
  EXPECT_TRUE(a->list()->empty());
  EXPECT_EQ(fabric.inspectImage("a", "/shared.img")->newestRecord, 5u);
}

TEST_P(Fabric, GivesTheGuestBackWhenTheSourceDaemonDiesInTheMiddle) {
  MigrationOrder slow = order();
  slow.bandwidthBytesPerSecond = 1'000;
  std::optional<Result<>> ended;
  ASSERT_TRUE(a->beginMigration(slow, [&](Result<> outcome) { ended = outcome; }));
  ASSERT_TRUE(settle([&] { return isIn(*b, RunState::InTransit); }));

  fabric.killDaemon("a");

  EXPECT_EQ(fabric.runningCopies("g"), 1);
  EXPECT_TRUE(isAbsent(*b));
  EXPECT_FALSE(ended) << "callbacks come from step()";
  fabric.step(random);
  EXPECT_EQ(ended->error().code, Code::Unavailable);
  fabric.startDaemon("a");
  EXPECT_TRUE(isIn(*a, RunState::Running));
}

TEST_P(Fabric, LeavesAPausedCopyOnATargetThatStalledAcrossTheSwitchOver) {
  ASSERT_TRUE(a->beginMigration(order(), [](Result<>) {}));
  ASSERT_TRUE(settle([&] { return isIn(*a, RunState::InTransit) && isIn(*b, RunState::InTransit); }));

  fabric.stallDaemon("b");

  EXPECT_EQ(b->describe("g").error().code, Code::Timeout);
  ASSERT_TRUE(settle([&] { return isIn(*a, RunState::Running); }));
  fabric.continueDaemon("b");
  EXPECT_TRUE(isIn(*b, RunState::Paused));
  EXPECT_EQ(*a->fence("g"), Fencing::StillRunning);
}

TEST_P(Fabric, KeepsAMirrorAcrossTheDeathOfTheDaemon) {
  fabric.createImage("a", "/mirror.img", kSize);
  ASSERT_TRUE(a->beginCopy("g", "vda", {.path = "/mirror.img"}));
  fabric.killDaemon("a");
  for (int i = 0; i < 100; ++i) fabric.step(random);
  fabric.startDaemon("a");
  ASSERT_TRUE(a->describe("g")->disks.at(0).mirror->ready);
  ASSERT_TRUE(a->pivot("g", "vda"));
  EXPECT_EQ(fabric.inspectImage("a", "/mirror.img")->newestRecord, fabric.acknowledgedRecord("u"));
  EXPECT_TRUE(fabric.inspectImage("a", "/mirror.img")->whole);
}

TEST_P(Fabric, NeverCallsAClientThatIsGone) {
  bool called = false;
  ASSERT_TRUE(a->beginMigration(order(), [&](Result<>) { called = true; }));
  a->whenChanged([&](const std::string&) { called = true; });
  a.reset();
  EXPECT_TRUE(settle([&] { return isIn(*b, RunState::Paused); }));
  for (int i = 0; i < 50; ++i) fabric.step(random);
  EXPECT_FALSE(called);
}

INSTANTIATE_TEST_SUITE_P(OneSeed, Fabric, testing::Values(7u));

}  // namespace
}  // namespace godwit::hypervisor::simulated
