#include "apiserver/world_test.hpp"

namespace godwit::apiserver::testing {
namespace {

const std::string kG1 = fmt::format("{}/g1", kWidgets);

TEST(Delete, AnswersWithAStatusWhenNothingIsLeft) {
  World world;
  const std::string uid = at(world.post(kWidgets, widget("g1")), {"metadata", "uid"});
  const auto deleted = world.remove(kG1);
  EXPECT_EQ(deleted.status, 200);
  EXPECT_EQ(at(deleted, {"status"}), "Success");
  EXPECT_EQ(numberAt(deleted, {"details"}),
            fmt::format(R"({{"name":"g1","group":"bench.example.com","kind":"widgets","uid":"{}"}})", uid));
  EXPECT_EQ(refusal(world.remove(kG1)), R"(404 NotFound: widgets.bench.example.com "g1" not found)");
}

TEST(Delete, OnlyMarksWhatHasFinalizers) {
  World world;
  world.post(kWidgets, widget("g1", R"(,"finalizers":["x.example.com/f"])"));
  const auto marked = world.remove(kG1);
  EXPECT_EQ(marked.status, 200);
  EXPECT_EQ(at(marked, {"kind"}), "Widget");
  EXPECT_EQ(at(marked, {"metadata", "deletionTimestamp"}), "2027-01-15T08:00:00Z");
  EXPECT_EQ(numberAt(marked, {"metadata", "deletionGracePeriodSeconds"}), "0");
  EXPECT_EQ(numberAt(marked, {"metadata", "generation"}), "2");
  EXPECT_EQ(world.get(kG1).body, marked.body);
  EXPECT_EQ(world.remove(kG1).body, marked.body);
}

TEST(Delete, IsDoneWhenTheLastFinalizerGoes) {
  World world;
  world.post(kWidgets, widget("g1", R"(,"finalizers":["x.example.com/f"])"));
  world.remove(kG1);
  EXPECT_EQ(world.patch(kG1, kMerge, R"({"metadata":{"finalizers":null}})").status, 200);
  EXPECT_EQ(world.get(kG1).status, 404);
}

TEST(Delete, LetsNobodyAddAFinalizerAfterwards) {
  World world;
  world.post(kWidgets, widget("g1", R"(,"finalizers":["x.example.com/f"])"));
  world.remove(kG1);
  EXPECT_EQ(world.patch(kG1, kMerge, R"({"metadata":{"finalizers":["x.example.com/f","y.example.com/g"]}})").status,
            422);
}

TEST(Delete, HonoursPreconditions) {
  World world;
  const auto created = world.post(kWidgets, widget("g1"));
  EXPECT_EQ(
      refusal(world.remove(kG1, R"({"preconditions":{"uid":"wrong"}})")),
      fmt::format(R"(409 Conflict: Operation cannot be fulfilled on Widget.bench.example.com "g1": the UID in the )"
                  "precondition (wrong) does not match the UID in record ({}). The object might have been deleted "
                  "and then recreated",
                  at(created, {"metadata", "uid"})));
  EXPECT_EQ(world.remove(kG1, R"({"preconditions":{"resourceVersion":"1"}})").status, 409);
  EXPECT_EQ(
      world
          .remove(kG1, fmt::format(R"({{"preconditions":{{"resourceVersion":"{}"}},"propagationPolicy":"Background"}})",
                                   version(created)))
          .status,
      200);
}

TEST(Delete, KeepsEverythingInADryRun) {
  World world;
  world.post(kWidgets, widget("g1"));
  EXPECT_EQ(world.remove(kG1 + "?dryRun=All").status, 200);
  EXPECT_EQ(world.get(kG1).status, 200);
}

TEST(Delete, GivesGraceToWhatRuns) {
  World world(1000, [](const schema::Kind& kind, const object::Document&, std::optional<std::int64_t> asked) {
    return kind.name == "Pod" ? asked.value_or(30) : 0;
  });
  const std::string pod = fmt::format("{}/p", kPods);
  world.post(kPods, R"({"metadata":{"name":"p"},"spec":{}})");
  const auto marked = world.remove(pod);
  EXPECT_EQ(at(marked, {"metadata", "deletionTimestamp"}), "2027-01-15T08:00:30Z");
  EXPECT_EQ(world.patch(pod, kMerge, R"({"metadata":{"labels":{"a":"b"}}})").status, 200);
  EXPECT_EQ(world.remove(pod + "?gracePeriodSeconds=0").status, 200);
  EXPECT_EQ(world.get(pod).status, 404);
}

TEST(DeleteCollection, RemovesWhatIsSelectedAndListsIt) {
  World world;
  world.post(kWidgets, widget("g1", R"(,"labels":{"a":"b"})"));
  world.post(kWidgets, widget("g2"));
  const auto deleted = world.remove(fmt::format("{}?labelSelector=a%3Db", kWidgets));
  EXPECT_EQ(at(deleted, {"kind"}), "WidgetList");
  EXPECT_EQ(bodyOf(deleted).at("items").as_array().size(), 1u);
  EXPECT_EQ(world.get(kG1).status, 404);
  EXPECT_EQ(world.get(fmt::format("{}/g2", kWidgets)).status, 200);
}

}  // namespace
}  // namespace godwit::apiserver::testing
