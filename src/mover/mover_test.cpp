#include "mover/mover.hpp"

#include <gtest/gtest.h>

#include "hypervisor/simulated/fabric.hpp"

namespace godwit::mover {
namespace {

using namespace std::chrono_literals;

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
    fabric.letDirty("guest", dirtyBytes);
    Mover mover(orders, {.source = *source, .target = *target, .journal = journal, .clock = clock}, [] {});
    for (int steps = 0; steps < 5000; ++steps) {
      mover.setOptions(steps < 1000 ? options : laterOptions.value_or(options));
      const auto verdict = mover.step();
      progress = mover.progress();
      if (verdict && *verdict) return *verdict;
      clock.advance(pace);
      fabric.step(random);
    }
    return std::nullopt;
  }

  SeededRandom random{1};
  ManualClock clock;
  hypervisor::simulated::SimulatedFabric fabric;
  std::unique_ptr<hypervisor::Hypervisor> source, target;
  MemoryJournal journal;
  Progress progress;
  Options options;
  std::optional<Options> laterOptions;  // from the thousandth step on
  std::int64_t dirtyBytes = 0;
  Duration pace = 10ms;  // of the steps
};

TEST_F(MoveBetweenTwoHosts, EndsWhereTheProcessorHasAllThatTheGuestCountsOn) {
  fabric.setFeatures("source", {"avx"});
  fabric.setFeatures("target", {"avx", "avx512f"});
  EXPECT_EQ(move(), (Entry{Stage::Moved, "Completed", ""}));
}

TEST_F(MoveBetweenTwoHosts, TellsInTheEndHowMuchItWasAndHowLongTheGuestStoodStill) {
  ASSERT_EQ(move()->stage, Stage::Moved);
  EXPECT_EQ(progress.stage, Stage::Moved);
  EXPECT_EQ(progress.memoryTotal, 1 << 20);
  EXPECT_EQ(progress.memoryDone, progress.memoryTotal);
  EXPECT_EQ(progress.secondsLeft, std::nullopt);
  ASSERT_TRUE(progress.downtimeMs);
  EXPECT_GE(*progress.downtimeMs, 10);
  EXPECT_LE(*progress.downtimeMs, 200);
}

TEST_F(MoveBetweenTwoHosts, IsNotBegunWhereFeaturesAreLackingAndNamesThem) {
  fabric.setFeatures("source", {"avx", "avx512f", "vmx"});
  fabric.setFeatures("target", {"avx"});
  EXPECT_EQ(move(), (Entry{Stage::NotMoved, "IncompatibleProcessor",
                           "the processor of the target lacks features that the guest has: avx512f, vmx"}));
  EXPECT_FALSE(target->describe("guest"));
  EXPECT_EQ(source->describe("guest")->state, hypervisor::RunState::Running);
}

// It changes its memory twice as fast as it is copied.
class MoveOfABusyGuest : public MoveBetweenTwoHosts {
 protected:
  void SetUp() override {
    MoveBetweenTwoHosts::SetUp();
    options = {.bandwidthBytesPerSecond = 5'000, .completionTimeoutPerGiB = 0, .progressTimeout = 0};
    dirtyBytes = 10'000;
    pace = 1s;
  }
};

TEST_F(MoveOfABusyGuest, GoesOnWithoutEndAndSaysWhatWouldHelp) {
  EXPECT_EQ(move(), std::nullopt);
  EXPECT_NE(progress.advice.find("raise spec.options.bandwidthPerMigration"), std::string::npos);
  EXPECT_EQ(progress.secondsLeft, std::nullopt);
}

TEST_F(MoveOfABusyGuest, EndsWhenItIsLetGoFasterMeanwhile) {
  laterOptions = options;
  laterOptions->bandwidthBytesPerSecond = 0;
  EXPECT_EQ(move(), (Entry{Stage::Moved, "Completed", ""}));
  EXPECT_GT(clock.now(), ManualClock().now() + 1000s);
}

TEST_F(MoveOfABusyGuest, IsGivenUpWhenItsTimeIsUp) {
  options.completionTimeoutPerGiB = 8;
  const auto verdict = move();
  EXPECT_EQ(verdict->stage, Stage::NotMoved);
  EXPECT_EQ(verdict->reason, "CompletionTimeout");
  EXPECT_NE(verdict->message.find("memory had 8 s"), std::string::npos) << verdict->message;
  EXPECT_EQ(source->describe("guest")->state, hypervisor::RunState::Running);
  EXPECT_FALSE(target->describe("guest"));
}

TEST_F(MoveOfABusyGuest, MakesTheGuestWaitWhenItsTimeIsUpAndItMay) {
  options.completionTimeoutPerGiB = 8;
  options.disruption = true;
  EXPECT_EQ(move(), (Entry{Stage::Moved, "Completed", ""}));
  EXPECT_GT(progress.downtimeMs.value(), 60'000);
  EXPECT_EQ(target->describe("guest")->state, hypervisor::RunState::Running);
}

TEST_F(MoveOfABusyGuest, LetsTheGuestGoAheadWhenItsTimeIsUpAndItMay) {
  options.completionTimeoutPerGiB = 8;
  options.disruption = options.postCopy = true;
  EXPECT_EQ(move(), (Entry{Stage::Moved, "Completed", ""}));
  EXPECT_LE(progress.downtimeMs.value(), 5'000);
  EXPECT_EQ(target->describe("guest")->state, hypervisor::RunState::Running);
  EXPECT_TRUE(fabric.violations().empty());
}

TEST_F(MoveOfABusyGuest, IsGivenUpWhenItComesNoNearer) {
  options.progressTimeout = 8;
  EXPECT_EQ(move()->reason, "NoProgress");
}

// Something happens as soon as an entry is on record.
class FatefulJournal final : public Journal {
 public:
  explicit FatefulJournal(std::function<void(const Entry&)> fate) : fate_(std::move(fate)) {}
  Result<> append(const Entry& entry) override {
    TRY(entries_.append(entry));
    fate_(entry);
    return {};
  }
  std::optional<Entry> last() const override { return entries_.last(); }

 private:
  MemoryJournal entries_;
  std::function<void(const Entry&)> fate_;
};

// A guest that writes to three disks, which move in place.
class MoveOfThreeDisks {
 public:
  explicit MoveOfThreeDisks(std::uint64_t seed) : random_(seed) {
    fabric_.addHost("host");
    for (const char* path : {"/old-a", "/old-b", "/old-c", "/new-a", "/new-b", "/new-c"})
      fabric_.createImage("host", path, 1 << 20);
    host = fabric_.connect(fabric_.uriOf("host")).value();
    EXPECT_TRUE(host->start({.name = "guest",
                             .uuid = "8f0e3a52",
                             .memoryBytes = 1 << 20,
                             .disks = {{.target = "vda", .source = {.path = "/old-a"}},
                                       {.target = "vdb", .source = {.path = "/old-b"}},
                                       {.target = "vdc", .source = {.path = "/old-c"}}}}));
  }

  // Something happens as soon as an entry is on record.
  Entry move(std::function<void(const Entry&)> fate) {
    Orders orders;
    orders.domain = "guest";
    orders.inPlace = true;
    orders.disks = {{.target = "vda", .path = "/new-a", .claim = "a"},
                    {.target = "vdb", .path = "/new-b", .claim = "b"},
                    {.target = "vdc", .path = "/new-c", .claim = "c"}};
    ManualClock clock;
    FatefulJournal journal(std::move(fate));
    Mover mover(orders, {.source = *host, .target = *host, .journal = journal, .clock = clock}, [] {});
    while (!journal.last() || !isVerdict(journal.last()->stage)) {
      (void)mover.step();
      fabric_.step(random_);
    }
    return *journal.last();
  }

  void letTimePass() {
    for (int steps = 0; steps < 200; ++steps) fabric_.step(random_);
  }

  std::uint64_t written() const { return fabric_.acknowledgedRecord("8f0e3a52"); }
  std::uint64_t recordOn(const std::string& path) const {
    const auto image = fabric_.inspectImage("host", path);
    return image->whole ? image->newestRecord : 0;
  }

  std::unique_ptr<hypervisor::Hypervisor> host;

 private:
  SeededRandom random_;
  hypervisor::simulated::SimulatedFabric fabric_;
};

TEST(MoveInPlaceOfAGuestThatDies, HasAllThatWasWrittenOnTheDisksThatItEndsOn) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed)
    for (const Stage fatal : {Stage::Holding, Stage::SwitchingOver}) {
      MoveOfThreeDisks moved(seed);
      const Stage verdict = moved
                                .move([&](const Entry& entry) {
                                  if (entry.stage == fatal) (void)moved.host->destroy("guest");
                                })
                                .stage;
      EXPECT_EQ(verdict, fatal == Stage::Holding ? Stage::Lost : Stage::Moved);
      EXPECT_GT(moved.written(), 0U);
      for (const char* disk : {"-a", "-b", "-c"})
        EXPECT_EQ(moved.recordOn((verdict == Stage::Moved ? "/new" : "/old") + std::string(disk)), moved.written())
            << "seed " << seed;
    }
}

// As when storage fails in that moment.
void loseACopyBetweenThePivots(hypervisor::Hypervisor& host) {
  ASSERT_TRUE(host.pivot("guest", "vda"));
  ASSERT_TRUE(host.cancelCopy("guest", "vdb"));
}

TEST(MoveInPlaceThatLosesACopyBetweenThePivots, MakesItAnewWhileTheGuestGoesOn) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    MoveOfThreeDisks moved(seed);
    int switches = 0;
    const Entry verdict = moved.move([&](const Entry& entry) {
      if (entry.stage == Stage::SwitchingOver && ++switches == 1) loseACopyBetweenThePivots(*moved.host);
    });
    EXPECT_EQ(verdict, (Entry{Stage::Moved, "Completed", ""}));
    EXPECT_EQ(switches, 2);
    EXPECT_EQ(*moved.host->runStateOf("guest"), hypervisor::RunState::Running);
    ASSERT_TRUE(moved.host->destroy("guest"));
    for (const char* path : {"/new-a", "/new-b", "/new-c"})
      EXPECT_EQ(moved.recordOn(path), moved.written()) << "seed " << seed;
  }
}

TEST(MoveInPlaceThatLosesACopyBetweenThePivots, SaysWhereTheDisksAreOfAGuestThatDiesMeanwhile) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    MoveOfThreeDisks moved(seed);
    const Entry verdict = moved.move([&](const Entry& entry) {
      if (entry.stage == Stage::SwitchingOver) loseACopyBetweenThePivots(*moved.host);
      if (entry.stage == Stage::Mending) (void)moved.host->destroy("guest");
    });
    EXPECT_EQ(verdict, (Entry{Stage::Lost, "DisksApart",
                              "the data of claim a (disk vda) is in its destination, the data of claim b (disk vdb) is "
                              "there still, the data of claim c (disk vdc) is in its destination"}));
    EXPECT_EQ(moved.recordOn("/new-a"), moved.written());
    EXPECT_EQ(moved.recordOn("/old-b"), moved.written());
    EXPECT_EQ(moved.recordOn("/new-c"), moved.written());
  }
}

TEST(MoveInPlaceThatLosesACopyBetweenThePivots, KnowsOfAPivotThatWasCarriedOutLater) {
  MoveOfThreeDisks moved(1);
  bool late = false;
  const Entry verdict = moved.move([&](const Entry& entry) {
    if (entry.stage == Stage::SwitchingOver) {
      loseACopyBetweenThePivots(*moved.host);
      ASSERT_TRUE(moved.host->cancelCopy("guest", "vdc"));
    }
    if (entry.stage != Stage::Mending) return;
    if (std::exchange(late, true)) return (void)moved.host->destroy("guest");
    ASSERT_TRUE(moved.host->beginCopy("guest", "vdc", {.path = "/new-c"}, 0));
    moved.letTimePass();
    ASSERT_TRUE(moved.host->pivot("guest", "vdc"));
  });
  EXPECT_NE(verdict.message.find("claim c (disk vdc) is in its destination"), std::string::npos) << verdict.message;
}

// A guest whose disk goes to another image of its host.
class MoveInPlace : public testing::Test {
 protected:
  MoveInPlace() {
    fabric.addHost("host");
    for (const char* path : {"/old", "/new"}) fabric.createImage("host", path, 1 << 20);
    host = fabric.connect(fabric.uriOf("host")).value();
    EXPECT_TRUE(host->start({.name = "guest",
                             .uuid = "8f0e3a52",
                             .memoryBytes = 1 << 20,
                             .disks = {{.target = "vda", .source = {.path = "/old"}}}}));
    orders.domain = "guest";
    orders.inPlace = true;
    orders.disks = {{.target = "vda", .path = "/new", .claim = "data"}};
  }

  ManualClock clock;
  hypervisor::simulated::SimulatedFabric fabric;
  std::unique_ptr<hypervisor::Hypervisor> host;
  MemoryJournal journal;
  Orders orders;
  std::optional<Mover> mover;
};

// The same, with copies that are compared before the guest goes on.
class VerifiedMoveInPlace : public MoveInPlace {
 protected:
  VerifiedMoveInPlace() {
    orders.verify = true;
    start();
  }

  // As one does who takes over.
  void start() {
    mover.reset();
    mover.emplace(orders,
                  Mover::Parties{.source = *host,
                                 .target = *host,
                                 .journal = journal,
                                 .clock = clock,
                                 .firstDifference =
                                     [this](const auto& left, const auto& right, const storage::Stretch& stretch) {
                                       return fabric.firstDifference("host", left.path, right.path, stretch.from,
                                                                     stretch.from + stretch.length);
                                     }},
                  [] {});
    mover->setOptions(options);
  }

  std::optional<Entry> stepUntil(Stage stage) {
    for (int steps = 0; steps < 5000; ++steps) {
      const auto verdict = mover->step();
      if (journal.last()->stage == stage) return journal.last();
      if (verdict && *verdict) return std::nullopt;
      clock.advance(100ms);
      fabric.step(random);
    }
    return std::nullopt;
  }

  std::string used() const { return host->describe("guest")->disks.at(0).source.path; }

  SeededRandom random{1};
  Options options;
};

TEST_F(VerifiedMoveInPlace, EndsOnACopyThatWasFoundToBeOne) {
  ASSERT_EQ(stepUntil(Stage::Moved), (Entry{Stage::Moved, "Completed", ""}));
  EXPECT_EQ(used(), "/new");
  ASSERT_EQ(mover->progress().verification.size(), 1U);
  EXPECT_EQ(mover->progress().verification[0].result, "Equal");
  EXPECT_EQ(mover->progress().verification[0].bytesDone, 1 << 20);
}

TEST_F(VerifiedMoveInPlace, StaysWhereItIsWhenTheCopyIsNone) {
  options.bandwidthBytesPerSecond = 1 << 16;
  mover->setOptions(options);
  ASSERT_TRUE(stepUntil(Stage::Verifying));
  ASSERT_TRUE(host->pause("guest"));
  fabric.spoilImage("host", "/new");
  const auto verdict = stepUntil(Stage::NotMoved);
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->reason, "CopiesDiffer");
  EXPECT_NE(verdict->message.find("claim data, disk vda"), std::string::npos) << verdict->message;
  EXPECT_EQ(used(), "/old");
}

TEST_F(VerifiedMoveInPlace, IsComparedFromTheBeginningByWhoTakesOver) {
  ASSERT_TRUE(stepUntil(Stage::Verifying));
  start();
  ASSERT_EQ(stepUntil(Stage::Moved)->reason, "Completed");
  EXPECT_EQ(mover->progress().verification[0].bytesDone, 1 << 20);
}

TEST_F(VerifiedMoveInPlace, WaitsInSyncUntilTheSwitchOverIsAskedForWhoeverDies) {
  options.holdSwitchOver = true;
  start();
  ASSERT_TRUE(stepUntil(Stage::InSync));
  start();
  EXPECT_FALSE(stepUntil(Stage::Moved));
  EXPECT_EQ(used(), "/old");
  options.holdSwitchOver = false;
  mover->setOptions(options);
  ASSERT_TRUE(stepUntil(Stage::Moved));
  EXPECT_EQ(used(), "/new");
  EXPECT_TRUE(fabric.violations().empty());
}

// The same, to a raw image on NFS.
class ThinMoveInPlace : public MoveInPlace {
 protected:
  ThinMoveInPlace() {
    orders.disks[0].remote = hypervisor::Remote{.protocol = hypervisor::Protocol::Nfs, .hosts = {{"nas", 0}}};
    start();
  }

  // As one does who takes over.
  void start() {
    mover.reset();
    mover.emplace(orders,
                  Mover::Parties{.source = *host,
                                 .target = *host,
                                 .journal = journal,
                                 .clock = clock,
                                 .thinWays = {.open =
                                                  [this](const hypervisor::DiskSource& disk) {
                                                    opened.push_back(disk.path);
                                                    return way;
                                                  }}},
                  [] {});
  }

  bool isCopied() const { return host->describe("guest")->disks.at(0).mirror.has_value(); }

  Result<std::string> way = "/socket";
  std::vector<std::string> opened;
};

TEST_F(ThinMoveInPlace, OpensAWayOnWhichNoZerosGoWhereZerosAre) {
  ASSERT_TRUE(mover->step());
  ASSERT_TRUE(mover->step());
  EXPECT_EQ(opened, std::vector<std::string>{"/new"});
  EXPECT_TRUE(isCopied());
}

TEST_F(ThinMoveInPlace, GoesTheStraightWayWhereThereIsNoOther) {
  way = fail(Code::Unavailable, "nas does not answer");
  ASSERT_TRUE(mover->step());
  EXPECT_TRUE(isCopied());
}

TEST_F(ThinMoveInPlace, WaitsForWhoStillWritesThere) {
  way = fail(Code::Conflict, "/new is still being written to");
  EXPECT_FALSE(mover->step());
  EXPECT_FALSE(isCopied());
  way = "/socket";
  ASSERT_TRUE(mover->step());
  EXPECT_TRUE(isCopied());
}

TEST_F(ThinMoveInPlace, IsTakenOverWithItsWay) {
  ASSERT_TRUE(mover->step());
  way = fail(Code::Conflict, "/new is still being written to");
  start();
  ASSERT_TRUE(mover->step());
  EXPECT_EQ(opened.size(), 2U);
  way = "/socket";
  ASSERT_TRUE(mover->step());
  ASSERT_TRUE(mover->step());
  EXPECT_EQ(opened, (std::vector<std::string>{"/new", "/new", "/new"}));
}

}  // namespace
}  // namespace godwit::mover
