#include "node/process_movers.hpp"

#include <sys/wait.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/bell.hpp"
#include "base/file_lock.hpp"
#include "base/files.hpp"
#include "base/papers.hpp"
#include "base/scratch_directory_test.hpp"

namespace godwit::node {
namespace {

using namespace std::chrono_literals;

namespace fs = std::filesystem;

constexpr const char* kMove = "0b9f3f0e-6a63-4f6e-9f0a-8d3a1f3d2c11";

// A program beside this one that keeps the manners of a mover.
std::string standIn() { return fs::read_symlink("/proc/self/exe").parent_path() / "stand_in_mover"; }

class ProcessMoversTest : public testing::Test {
 protected:
  ProcessMoversTest() { open(); }
  // A mover outlives the agent, but not the test.
  ~ProcessMoversTest() override {
    if (const auto mover = holder()) endAndReap(*mover);
    movers.reset();
    while (waitpid(-1, nullptr, 0) > 0) {
    }
  }

  void open() {
    movers = ProcessMovers::open({.directory = directory.path(), .program = standIn()}, clock).value();
    movers->whenChanged([this](const std::string& move) {
      if (move == kMove) bell.ring();
    });
  }

  void startMover() {
    ASSERT_TRUE(movers->giveOrders(orders, {}));
    ASSERT_TRUE(movers->start(kMove));
    ASSERT_TRUE(comesTrue([&] { return holder().has_value(); }));
  }

  template <class Condition>
  bool comesTrue(Condition holds) {
    while (!holds())
      if (!bell.waitFor(1min, {})) return false;
    return true;
  }

  std::optional<pid_t> holder() const { return FileLock::holder(papers.lock()).value(); }
  bool alive() { return movers->state(kMove)->alive; }

  static mover::Orders announced() {
    mover::Orders draft;
    draft.move = kMove;
    return draft;
  }

  // 0 when there is none.
  static pid_t onlyChild() {
    pid_t child = 0;
    std::ifstream("/proc/thread-self/children") >> child;
    for (const auto& thread : fs::directory_iterator("/proc/self/task"))
      if (child == 0) std::ifstream(thread.path() / "children") >> child;
    return child;
  }

  static void endAndReap(pid_t mover) {
    kill(mover, SIGKILL);
    waitpid(mover, nullptr, 0);
  }

  const ScratchDirectory directory;
  const Papers papers{directory.file(kMove)};
  const mover::Orders orders{.move = kMove,
                             .domain = "default_db-1",
                             .inPlace = false,
                             .sourceUri = "qemu:///system",
                             .targetUri = "qemu+ssh://b/system",
                             .socketDirectory = "/run/sockets",
                             .targetConsoleFile = "",
                             .disks = {{.target = "vda", .path = "/b.img"}}};
  ManualClock clock;
  Bell bell;
  std::unique_ptr<ProcessMovers> movers;
};

TEST_F(ProcessMoversTest, KnowNothingOfAMoveWithoutOrders) {
  EXPECT_FALSE(movers->hasOrders(kMove));
  EXPECT_FALSE(alive());
  EXPECT_EQ(movers->state(kMove)->verdict, std::nullopt);
  EXPECT_EQ(movers->progress(kMove), std::nullopt);
}

TEST_F(ProcessMoversTest, KeepTheOrdersForTheMover) {
  ASSERT_TRUE(movers->giveOrders(orders, {}));
  EXPECT_TRUE(movers->hasOrders(kMove));
  EXPECT_EQ(mover::parseOrders(readFile(papers.orders()).value()), orders);
}

TEST_F(ProcessMoversTest, GiveTheMoverOptionsAsOftenAsTheyChange) {
  EXPECT_EQ(movers->giveOptions(kMove, {}).error().code, Code::NotFound);
  ASSERT_TRUE(movers->giveOrders(orders, {}));
  for (const std::int64_t bandwidth : {10, 0}) {
    const mover::Options options{.bandwidthBytesPerSecond = bandwidth, .disruption = true};
    ASSERT_TRUE(movers->giveOptions(kMove, options));
    EXPECT_EQ(mover::parseOptions(readFile(papers.options()).value()), options);
  }
}

TEST_F(ProcessMoversTest, GiveNoOrdersBeforeTheOptionsAreThere) {
  const mover::Options options{.bandwidthBytesPerSecond = 10};
  std::filesystem::create_directories(papers.options() + "/in the way");
  EXPECT_FALSE(movers->giveOrders(orders, options));
  EXPECT_FALSE(movers->hasOrders(kMove));
  std::filesystem::remove_all(papers.options());
  EXPECT_TRUE(movers->giveOrders(orders, options));
  EXPECT_EQ(mover::parseOptions(readFile(papers.options()).value()), options);
}

TEST_F(ProcessMoversTest, RefuseAMoveWhoseNameLeadsElsewhere) {
  for (const std::string& move : {std::string(), std::string(".."), std::string("../etc"), std::string("a/b"),
                                  std::string(".a"), std::string("a\0b", 3), std::string(201, 'a')}) {
    EXPECT_EQ(movers->state(move).error().code, Code::Invalid);
    mover::Orders bent = orders;
    bent.move = move;
    EXPECT_EQ(movers->giveOrders(bent, {}).error().code, Code::Invalid);
    EXPECT_EQ(movers->start(move).error().code, Code::Invalid);
    EXPECT_EQ(movers->cancel(move).error().code, Code::Invalid);
    EXPECT_EQ(movers->forget(move).error().code, Code::Invalid);
    EXPECT_FALSE(movers->hasOrders(move));
  }
}

TEST_F(ProcessMoversTest, TakeAMoverForAliveFromTheMomentItIsStarted) {
  ASSERT_TRUE(movers->giveOrders(orders, {}));
  ASSERT_TRUE(movers->start(kMove));
  EXPECT_TRUE(alive());
  ASSERT_TRUE(comesTrue([&] { return holder().has_value(); }));
  EXPECT_TRUE(alive());
}

TEST_F(ProcessMoversTest, StartNoSecondMoverBesideALivingOne) {
  startMover();
  const auto first = holder();
  clock.advance(1h);
  ASSERT_TRUE(movers->start(kMove));
  EXPECT_EQ(holder(), first);
}

TEST_F(ProcessMoversTest, TellOfAMoverThatWasKilled) {
  startMover();
  kill(*holder(), SIGKILL);
  EXPECT_TRUE(comesTrue([&] { return !alive(); }));
  EXPECT_EQ(movers->state(kMove)->verdict, std::nullopt);
}

TEST_F(ProcessMoversTest, StartADeadMoverAgainButNotAtFullSpeed) {
  startMover();
  const auto first = holder();
  kill(*first, SIGKILL);
  ASSERT_TRUE(comesTrue([&] { return !alive(); }));

  ASSERT_TRUE(movers->start(kMove));
  ASSERT_TRUE(comesTrue([&] { return holder().has_value(); }));
  const auto second = holder();
  EXPECT_NE(second, first);
  kill(*second, SIGKILL);
  ASSERT_TRUE(comesTrue([&] { return !alive(); }));

  EXPECT_EQ(movers->start(kMove).error().code, Code::Unavailable);
  clock.advance(1s);
  ASSERT_TRUE(movers->start(kMove));
  EXPECT_TRUE(comesTrue([&] { return holder().has_value(); }));
}

TEST_F(ProcessMoversTest, FindAMoverThatOutlivedTheAgent) {
  startMover();
  const pid_t mover = *holder();
  movers.reset();
  open();
  EXPECT_TRUE(alive());
  while (bell.waitFor(0s, {})) {
  }

  endAndReap(mover);
  EXPECT_TRUE(bell.waitFor(1min, {}));
  EXPECT_FALSE(alive());
}

TEST_F(ProcessMoversTest, StartAMoverInASessionOfItsOwn) {
  startMover();
  EXPECT_EQ(getsid(*holder()), *holder());
}

TEST_F(ProcessMoversTest, PassACancellationOnAndHearTheVerdict) {
  startMover();
  ASSERT_TRUE(movers->cancel(kMove));
  ASSERT_TRUE(movers->cancel(kMove));
  ASSERT_TRUE(comesTrue([&] { return !alive(); }));
  EXPECT_EQ(movers->state(kMove)->verdict, (mover::Entry{mover::Stage::NotMoved, "Cancelled", ""}));
}

TEST_F(ProcessMoversTest, DoNotWaitForAMoverToGoThatHasSaidAll) {
  startMover();
  const pid_t mover = *holder();
  std::ofstream(papers.directory + "/linger").flush();
  ASSERT_TRUE(movers->cancel(kMove));
  ASSERT_TRUE(comesTrue([&] { return !alive(); }));
  EXPECT_EQ(movers->state(kMove)->verdict, (mover::Entry{mover::Stage::NotMoved, "Cancelled", ""}));
  EXPECT_EQ(kill(mover, 0), 0);
  EXPECT_EQ(movers->forget(kMove).error().code, Code::Conflict);
  std::ofstream(papers.directory + "/leave").flush();
  EXPECT_TRUE(comesTrue([&] { return movers->forget(kMove).has_value(); }));
}

TEST_F(ProcessMoversTest, TellAMoverThatWaitsWhatIsKnownOfItsOrders) {
  const mover::Orders unknown = announced();
  mover::Orders elsewhere = orders;
  elsewhere.targetUri = "qemu+ssh://c/system";
  for (const auto& draft : {unknown, elsewhere, elsewhere, unknown, orders}) movers->expect(draft);
  EXPECT_FALSE(alive());
  EXPECT_FALSE(fs::exists(papers.directory));
  startMover();
  EXPECT_EQ(readFile(papers.directory + "/hints"),
            mover::writeOrders(elsewhere) + "\n" + mover::writeOrders(orders) + "\n");
}

TEST_F(ProcessMoversTest, LetTheNextMoveHaveTheMoverThatWaits) {
  movers->beReady();
  const pid_t waiting = onlyChild();
  movers->beReady();
  movers->expect(announced());
  startMover();
  EXPECT_EQ(holder(), waiting);
}

TEST_F(ProcessMoversTest, HaveAnotherMoverWaitWhenOneHasEnded) {
  movers->expect(announced());
  startMover();
  const pid_t first = onlyChild();
  ASSERT_TRUE(movers->cancel(kMove));
  ASSERT_TRUE(comesTrue([&] { return movers->forget(kMove).has_value(); }));
  pid_t second = 0;
  while ((second = onlyChild()) == 0 || second == first) std::this_thread::yield();
  movers->expect(announced());
  startMover();
  EXPECT_EQ(holder(), second);
}

TEST_F(ProcessMoversTest, LeaveNoMoverWaitingForAnAgentThatIsGone) {
  movers->expect(announced());
  const pid_t waiting = onlyChild();
  movers.reset();
  int status = -1;
  EXPECT_EQ(waitpid(waiting, &status, 0), waiting);
  EXPECT_TRUE(WIFEXITED(status));
  open();
}

TEST_F(ProcessMoversTest, CannotCancelWhatWasNeverOrdered) {
  EXPECT_EQ(movers->cancel(kMove).error().code, Code::NotFound);
}

TEST_F(ProcessMoversTest, TellOfEveryReport) {
  ASSERT_TRUE(movers->giveOrders(orders, {}));
  std::ofstream(papers.report()) << R"({"stage":"Copying","disksDone":7})" << std::endl;
  EXPECT_TRUE(comesTrue([&] { return movers->progress(kMove).has_value(); }));
  EXPECT_EQ(movers->progress(kMove)->disksDone, 7);
}

TEST_F(ProcessMoversTest, ForgetOnlyAMoveWhoseMoverIsDead) {
  startMover();
  EXPECT_EQ(movers->forget(kMove).error().code, Code::Conflict);
  kill(*holder(), SIGKILL);
  ASSERT_TRUE(comesTrue([&] { return !alive(); }));
  EXPECT_EQ(movers->all(), std::vector<std::string>{kMove});
  ASSERT_TRUE(movers->forget(kMove));
  EXPECT_FALSE(fs::exists(papers.directory));
  EXPECT_EQ(movers->all(), std::vector<std::string>{});
  EXPECT_TRUE(movers->forget(kMove));
}

}  // namespace
}  // namespace godwit::node
