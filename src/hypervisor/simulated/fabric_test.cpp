#include "hypervisor/simulated/fabric.hpp"

#include <gtest/gtest.h>

namespace godwit::hypervisor::simulated {
namespace {

constexpr std::int64_t kSize = 64 << 20;

// Two hosts, one running guest on "a" whose disk both reach, and the simplest mover that is safe.
class Moving : public testing::TestWithParam<unsigned> {
 protected:
  Moving() {
    for (const char* host : {"a", "b"}) fabric_.addHost(host);
    a_ = fabric_.connect("simulated://a").value();
    b_ = fabric_.connect("simulated://b").value();
    fabric_.createImage("", "/shared.img", kSize);
    fabric_.createImage("b", "/copy.img", kSize);
    EXPECT_TRUE(a_->start({.name = "g",
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
    for (int i = 0; i < 1'000 && !holds(); ++i) fabric_.step(random_);
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
    if (isIn(*b_, RunState::Running)) {
      (void)a_->fence("g");
    } else if (isIn(*b_, RunState::Paused)) {
      const auto fencing = a_->fence("g");
      if (fencing && *fencing == Fencing::Fenced) (void)b_->resume("g");
      if (fencing && *fencing == Fencing::StillRunning) (void)b_->destroy("g");
    } else if (isAbsent(*b_) && isIn(*a_, RunState::InTransit)) {
      (void)a_->resume("g");
    }
  }

  void disturb() {
    if (!random_.chance(5)) return;
    const std::string host = random_.chance(2) ? "a" : "b";
    switch (random_.below(5)) {
      case 0:
        return fabric_.killDaemon(host);
      case 1:
        return fabric_.startDaemon(host);
      case 2:
        return fabric_.stallDaemon(host);
      case 3:
        return fabric_.continueDaemon(host);
      case 4:
        (void)a_->cancelMigration("g");
    }
  }

  void heal() {
    for (const char* host : {"a", "b"}) {
      fabric_.startDaemon(host);
      fabric_.continueDaemon(host);
    }
  }

  SimulatedFabric fabric_;
  SeededRandom random_{GetParam()};
  std::unique_ptr<Hypervisor> a_;
  std::unique_ptr<Hypervisor> b_;
};

TEST_P(Moving, NeverRunsTwiceAndForgetsNothingHoweverTheDaemonsFail) {
  ASSERT_TRUE(a_->beginMigration(random_.chance(2) ? order() : copyingOrder(), [](const Result<>&) {}));
  for (int i = 0; i < 60; ++i) {
    disturb();
    finishMove();
    fabric_.step(random_);
    ASSERT_LE(fabric_.runningCopies("g"), 1) << "step " << i;
  }
  heal();
  ASSERT_TRUE(settle([&] {
    finishMove();
    return fabric_.runningCopies("g") == 1 && (isAbsent(*a_) || isAbsent(*b_)) &&
           !a_->describe("g").value_or(DomainState{}).outgoing;
  }));
  Hypervisor& home = isAbsent(*a_) ? *b_ : *a_;
  const std::string disk = home.describe("g")->disks.at(0).source.path;
  const auto content = fabric_.inspectImage(isAbsent(*a_) ? "b" : "a", disk);
  EXPECT_EQ(content->newestRecord, fabric_.acknowledgedRecord("u"));
  EXPECT_TRUE(content->whole);
  EXPECT_EQ(fabric_.violations(), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(Seeds, Moving, testing::Range(0u, 500u));

class Fabric : public Moving {};

TEST_P(Fabric, SeesTwoCopiesThatWriteOneDisk) {
  ASSERT_TRUE(b_->start({.name = "g",
                         .uuid = "u",
                         .owner = "o",
                         .memoryBytes = 1,
                         .disks = {{.target = "vda", .source = {.path = "/shared.img"}}},
                         .consoleFile = ""}));
  fabric_.step(random_);
  EXPECT_EQ(fabric_.runningCopies("g"), 2);
  EXPECT_FALSE(fabric_.violations().empty());
}

TEST_P(Fabric, SeesRecordsThatWereForgotten) {
  settle([&] { return fabric_.acknowledgedRecord("u") == 5; });
  ASSERT_TRUE(a_->destroy("g"));
  fabric_.createImage("", "/shared.img", kSize);
  ASSERT_TRUE(b_->start({.name = "g",
                         .uuid = "u",
                         .owner = "o",
                         .memoryBytes = 1,
                         .disks = {{.target = "vda", .source = {.path = "/shared.img"}}},
                         .consoleFile = ""}));
  fabric_.step(random_);
  EXPECT_EQ(fabric_.violations(), std::vector<std::string>{"b/g writes record 1 after 5"});
}

TEST_P(Fabric, LosesTheGuestsOfAHostWithoutPowerAndKeepsTheirDisks) {
  settle([&] { return fabric_.acknowledgedRecord("u") == 5; });
  fabric_.cutPower("a");
  EXPECT_EQ(fabric_.runningCopies("g"), 0);
  EXPECT_EQ(a_->list().error().code, Code::Unavailable);
  fabric_.restorePower("a");
  EXPECT_TRUE(a_->list()->empty());
  EXPECT_EQ(fabric_.inspectImage("a", "/shared.img")->newestRecord, 5u);
}

TEST_P(Fabric, GivesTheGuestBackWhenTheSourceDaemonDiesInTheMiddle) {
  MigrationOrder slow = order();
  slow.tuning.bandwidthBytesPerSecond = 1'000;
  std::optional<Result<>> ended;
  ASSERT_TRUE(a_->beginMigration(slow, [&](const Result<>& outcome) { ended = outcome; }));
  ASSERT_TRUE(settle([&] { return isIn(*b_, RunState::InTransit); }));

  fabric_.killDaemon("a");

  EXPECT_EQ(fabric_.runningCopies("g"), 1);
  EXPECT_TRUE(isAbsent(*b_));
  EXPECT_FALSE(ended) << "callbacks come from step()";
  fabric_.step(random_);
  EXPECT_EQ(ended->error().code, Code::Unavailable);
  fabric_.startDaemon("a");
  EXPECT_TRUE(isIn(*a_, RunState::Running));
}

TEST_P(Fabric, GivesTheGuestBackWhenTheTargetStallsBeforeItIsToldToLetItRun) {
  ASSERT_TRUE(a_->beginMigration(order(), [](const Result<>&) {}));
  ASSERT_TRUE(settle([&] { return isIn(*a_, RunState::InTransit) && isIn(*b_, RunState::InTransit); }));

  fabric_.stallDaemon("b");

  EXPECT_EQ(b_->describe("g").error().code, Code::Timeout);
  ASSERT_TRUE(settle([&] { return isIn(*a_, RunState::Running); }));
  fabric_.continueDaemon("b");
  EXPECT_EQ(b_->runStateOf("g").error().code, Code::NotFound);
  EXPECT_EQ(*a_->fence("g"), Fencing::StillRunning);
}

TEST_P(Fabric, LeavesTheSourceShutOutWhenTheTargetStallsAfterwards) {
  std::optional<Result<>> ended;
  ASSERT_TRUE(a_->beginMigration(order(), [&](const Result<>& outcome) { ended = outcome; }));
  ASSERT_TRUE(settle([&] { return isIn(*a_, RunState::InTransit) && isIn(*b_, RunState::InTransit); }));
  for (int i = 0; i < 100 && isIn(*b_, RunState::InTransit); ++i) {
    // Told or not: that it has gone on is seen only once the target answers again.
    fabric_.step(random_);
    fabric_.stallDaemon("b");
    if (settle([&] { return ended.has_value(); }) && isIn(*a_, RunState::InTransit)) break;
    ASSERT_FALSE(ended);
    fabric_.continueDaemon("b");
  }
  EXPECT_EQ(fabric_.runningCopies("g"), 0);
  EXPECT_FALSE(*ended);
  fabric_.continueDaemon("b");
  EXPECT_TRUE(isIn(*b_, RunState::Running));
  EXPECT_EQ(fabric_.runningCopies("g"), 1);
  ASSERT_TRUE(b_->destroy("g"));
  EXPECT_EQ(b_->runStateOf("g").error().code, Code::Gone) << "it ran there";
  ASSERT_TRUE(b_->forgetArrival("g"));
  EXPECT_EQ(b_->runStateOf("g").error().code, Code::NotFound);
}

TEST_P(Fabric, KeepsAMirrorAcrossTheDeathOfTheDaemon) {
  fabric_.createImage("a", "/mirror.img", kSize);
  ASSERT_TRUE(a_->beginCopy("g", "vda", {.path = "/mirror.img"}));
  fabric_.killDaemon("a");
  for (int i = 0; i < 100; ++i) fabric_.step(random_);
  fabric_.startDaemon("a");
  ASSERT_TRUE(a_->describe("g")->disks.at(0).mirror->ready);
  ASSERT_TRUE(a_->pivot("g", "vda"));
  EXPECT_EQ(fabric_.inspectImage("a", "/mirror.img")->newestRecord, fabric_.acknowledgedRecord("u"));
  EXPECT_TRUE(fabric_.inspectImage("a", "/mirror.img")->whole);
}

TEST_P(Fabric, NeverCallsAClientThatIsGone) {
  bool called = false;
  ASSERT_TRUE(a_->beginMigration(order(), [&](const Result<>&) { called = true; }));
  a_->whenChanged([&](const std::string&) { called = true; });
  a_.reset();
  for (int i = 0; i < 50; ++i) fabric_.step(random_);
  EXPECT_FALSE(called);
  EXPECT_EQ(fabric_.runningCopies("g"), 1) << "the migration has ended with its client";
  EXPECT_TRUE(isAbsent(*b_));
}

INSTANTIATE_TEST_SUITE_P(OneSeed, Fabric, testing::Values(7u));

}  // namespace
}  // namespace godwit::hypervisor::simulated
