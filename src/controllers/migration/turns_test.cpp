#include "controllers/migration/turns.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace godwit::controllers::migration {
namespace {

using namespace std::chrono_literals;
using Priority = kinds::MigrationPriority;

// Migrations are called by their names; the later ones of the alphabet are the younger ones.
class TurnsOfMigrations : public testing::Test {
 protected:
  TurnsOfMigrations() {
    turns.onTurn([&](const object::Key& key) { woken.push_back(key.name); });
    turns.setLimits({.inCluster = 3, .fromNode = 2, .toNode = 1});
    turns.open({});
  }

  static Place place(const std::string& name, Priority priority = Priority::Unset) {
    return {priority, Timestamp{} + (name[0] - 'a') * 1s, {"default", name}};
  }

  // "" when it may go, else what it waits for.
  std::string ask(const std::string& name, const std::string& source, Priority priority = Priority::Unset) {
    const auto waits = turns.askToBegin(place(name, priority), source);
    return waits ? std::to_string(waits->position) + ": " + waits->limit : "";
  }

  std::string arrive(const std::string& name, const std::string& target) {
    const auto waits = turns.askToArrive({"default", name}, target);
    return waits ? std::to_string(waits->position) + ": " + waits->limit : "";
  }

  void leave(const std::string& name) { turns.leave({"default", name}); }

  Turns turns;
  std::vector<std::string> woken;
};

using Names = std::vector<std::string>;

TEST_F(TurnsOfMigrations, ComeAsLongAsNoLimitIsReached) {
  EXPECT_EQ(ask("a", "node-1"), "");
  EXPECT_EQ(ask("b", "node-1"), "");
  EXPECT_EQ(ask("c", "node-1"), "1: 2 at a time away from node node-1");
  EXPECT_EQ(ask("d", "node-2"), "");
  EXPECT_EQ(ask("e", "node-3"), "2: 3 at a time in the cluster");
}

TEST_F(TurnsOfMigrations, AreKeptUntilTheMigrationLeaves) {
  ask("a", "node-1");
  EXPECT_EQ(ask("a", "node-1"), "");
  ask("b", "node-1");
  EXPECT_NE(ask("c", "node-1"), "");
  leave("a");
  EXPECT_EQ(woken, Names{"c"});
  EXPECT_EQ(ask("c", "node-1"), "");
  EXPECT_NE(ask("a", "node-1"), "") << "whoever asks again stands in line like everybody";
}

TEST_F(TurnsOfMigrations, GoToTheMostUrgentThenToTheOldest) {
  for (const char* name : {"a", "b", "c"}) ask(name, name);
  ask("z", "node-1", Priority::SystemCritical);
  ask("y", "node-2", Priority::SystemMaintenance);
  ask("e", "node-3");
  ask("d", "node-4");
  ask("x", "node-5", Priority::UserTriggered);
  Names order;
  for (const char* name : {"a", "b", "c", "z", "x"}) {
    woken.clear();
    leave(name);
    for (const char* other : {"z", "y", "x", "e", "d"})
      if (turns.counts({"default", other}) && std::find(order.begin(), order.end(), other) == order.end())
        order.push_back(other);
  }
  EXPECT_EQ(order, (Names{"z", "x", "y", "d", "e"}));
}

TEST_F(TurnsOfMigrations, AreNotHeldUpByThoseWhoseNodeIsBusy) {
  ask("a", "node-1");
  ask("b", "node-1");
  ask("c", "node-1", Priority::SystemCritical);
  ask("d", "node-1", Priority::SystemCritical);
  EXPECT_EQ(ask("e", "node-2"), "");
}

TEST_F(TurnsOfMigrations, CountThoseThatWereUnderWayBefore) {
  Turns another;
  another.setLimits({.inCluster = 3, .fromNode = 2, .toNode = 1});
  EXPECT_FALSE(another.isOpen());
  another.open({{.place = place("a"), .source = "node-1", .target = "node-2", .underWay = true},
                {.place = place("b"), .source = "node-1", .target = "", .underWay = true},
                {.place = place("d"), .source = "node-1", .target = "", .underWay = false}});
  EXPECT_TRUE(another.askToBegin(place("c"), "node-1"));
  EXPECT_TRUE(another.askToArrive({"default", "b"}, "node-2"));
  another.leave({"default", "a"});
  EXPECT_TRUE(another.counts({"default", "c"})) << "it is the older one";
  EXPECT_FALSE(another.counts({"default", "d"}));
  EXPECT_FALSE(another.askToArrive({"default", "b"}, "node-2"));
}

TEST_F(TurnsOfMigrations, GoToNobodyBeforeAllAreKnown) {
  Turns another;
  EXPECT_TRUE(another.askToBegin(place("a"), "node-1"));
}

TEST_F(TurnsOfMigrations, AreGivenForTheNodeThatTheGuestIsOn) {
  ask("a", "node-1");
  ask("b", "node-2");
  EXPECT_EQ(ask("a", "node-2"), "") << "it has come there since";
  EXPECT_NE(ask("c", "node-2"), "");
  EXPECT_EQ(ask("d", "node-1"), "");
}

TEST_F(TurnsOfMigrations, AreNeededAtTheTargetToo) {
  for (const char* name : {"a", "b", "c"}) ask(name, name);
  EXPECT_EQ(arrive("b", "node-9"), "");
  EXPECT_EQ(arrive("c", "node-9"), "1: 1 at a time to node node-9");
  EXPECT_EQ(arrive("a", "node-9"), "1: 1 at a time to node node-9");
  EXPECT_EQ(arrive("c", "node-9"), "2: 1 at a time to node node-9") << "the older one goes first";
  EXPECT_EQ(arrive("c", "node-8"), "");
  woken.clear();
  leave("b");
  EXPECT_EQ(woken, Names{"a"});
  EXPECT_EQ(arrive("a", "node-9"), "");
}

TEST_F(TurnsOfMigrations, FollowLimitsThatChange) {
  for (const char* name : {"a", "b", "c", "d"}) ask(name, "node-1");
  woken.clear();
  turns.setLimits({.inCluster = 9, .fromNode = 3, .toNode = 1});
  EXPECT_TRUE(turns.counts({"default", "c"}));
  EXPECT_EQ(woken, (Names{"c", "d"})) << "the one has its turn, the other another limit and place";
  turns.setLimits({.inCluster = 1, .fromNode = 1, .toNode = 1});
  leave("a");
  leave("b");
  EXPECT_NE(ask("d", "node-1"), "");
  leave("c");
  EXPECT_EQ(ask("d", "node-1"), "");
}

TEST_F(TurnsOfMigrations, TellTheFirstInLineOfEveryStep) {
  turns.setLimits({.inCluster = 1, .fromNode = 1, .toNode = 1});
  ask("a", "node-1");
  for (char name = 'b'; name <= 'z'; ++name) ask(std::string(1, name), "node-1");
  woken.clear();
  leave("a");
  EXPECT_EQ(woken.size(), 21u) << "the one whose turn it is, and those at the head";
  EXPECT_EQ(ask("f", "node-1"), "4: 1 at a time away from node node-1");
  EXPECT_EQ(turns.askToBegin(place("z"), "node-1")->ahead, (Names{"default/c", "default/d", "default/e"}));
}

TEST(LimitsOfMigrations, AreKubeVirtsUnlessSomethingElseIsSaid) {
  kinds::MigrationConfiguration said;
  EXPECT_EQ(limitsOf(said), (Limits{.inCluster = 5, .fromNode = 2, .toNode = 2}));
  said.parallelOutboundMigrationsPerNode = 7;
  EXPECT_EQ(limitsOf(said), (Limits{.inCluster = 5, .fromNode = 7, .toNode = 7}));
  said.parallelInboundMigrationsPerNode = 3;
  EXPECT_EQ(limitsOf(said).toNode, 3);
}

}  // namespace
}  // namespace godwit::controllers::migration
