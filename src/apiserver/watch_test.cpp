#include "apiserver/world_test.hpp"

#include "apiserver/watch.hpp"

namespace godwit::apiserver::testing {
namespace {

const std::string kA = fmt::format("{}/a", kWidgets);

std::unique_ptr<http::Stream> watch(World& world, std::string_view query,
                                    std::string_view accept = "application/json") {
  auto response = world.get(fmt::format("{}?watch=1&{}", kWidgets, query), accept);
  EXPECT_EQ(response.status, 200) << response.body;
  EXPECT_TRUE(response.stream);
  return std::move(response.stream);
}

std::string textOf(http::Stream& stream) {
  std::string text;
  for (const auto& chunk : stream.take().chunks) text += *chunk;
  return text;
}

TEST(Watch, TellsWhatHappensAfterAVersion) {
  World world;
  const std::string since = version(world.post(kWidgets, widget("a")));
  const auto stream = watch(world, "resourceVersion=" + since);
  EXPECT_EQ(eventsOf(*stream), Events{});
  world.post(kWidgets, widget("b"));
  world.patch(kA, kMerge, R"({"spec":{"size":2}})");
  world.remove(kA);
  EXPECT_EQ(eventsOf(*stream), (Events{"ADDED b", "MODIFIED a", "DELETED a"}));
}

TEST(Watch, BeginsWithWhatIsThere) {
  World world;
  world.post(kWidgets, widget("a"));
  for (const char* query : {"", "resourceVersion=0"}) {
    const auto stream = watch(world, query);
    EXPECT_EQ(eventsOf(*stream), (Events{"ADDED a"})) << query;
    world.post(kWidgets, widget(fmt::format("b{}", std::string_view(query).size())));
    EXPECT_EQ(eventsOf(*stream).size(), 1u);
    world.remove(fmt::format("{}/b{}", kWidgets, std::string_view(query).size()));
  }
}

TEST(Watch, MarksTheEndOfWhatWasThere) {
  World world;
  world.post(kWidgets, widget("a"));
  const auto stream = watch(world, "sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan");
  const std::string text = textOf(*stream);
  EXPECT_TRUE(text.starts_with(R"({"type":"ADDED","object":{"apiVersion":"bench.example.com/v1","kind":"Widget",)"));
  EXPECT_TRUE(text.ends_with(
      fmt::format(R"({{"type":"BOOKMARK","object":{{"kind":"Widget","apiVersion":"bench.example.com/v1",)"
                  R"("metadata":{{"resourceVersion":"{}","annotations":{{"k8s.io/initial-events-end":"true"}}}}}}}})"
                  "\n",
                  world.store.revision())));
}

TEST(Watch, WantsTheMatchRuleWithInitialEvents) {
  World world;
  EXPECT_EQ(world.get(fmt::format("{}?watch=1&sendInitialEvents=true", kWidgets)).status, 422);
}

TEST(Watch, TellsOfObjectsThatBeginAndCeaseToMatch) {
  World world;
  world.post(kWidgets, widget("a"));
  const auto stream = watch(world, "labelSelector=on%3Dyes");
  world.patch(kA, kMerge, R"({"spec":{"size":2}})");
  world.patch(kA, kMerge, R"({"metadata":{"labels":{"on":"yes"}}})");
  world.patch(kA, kMerge, R"({"spec":{"size":3}})");
  world.patch(kA, kMerge, R"({"metadata":{"labels":null}})");
  world.remove(kA);
  EXPECT_EQ(eventsOf(*stream), (Events{"ADDED a", "MODIFIED a", "DELETED a"}));
}

TEST(Watch, SelectsByDeclaredFields) {
  World world;
  auto response = world.get(fmt::format("{}?watch=true&fieldSelector=spec.nodeName%3Dn1", kPods));
  ASSERT_TRUE(response.stream);
  world.post(kPods, R"({"metadata":{"name":"p1"},"spec":{"nodeName":"n1"}})");
  world.post(kPods, R"({"metadata":{"name":"p2"},"spec":{"nodeName":"n2"}})");
  EXPECT_EQ(eventsOf(*response.stream), (Events{"ADDED p1"}));
}

TEST(Watch, SaysThatAVersionIsTooOld) {
  World world(2);
  const std::string since = version(world.post(kWidgets, widget("a")));
  for (int size = 2; size < 9; ++size) world.patch(kA, kMerge, fmt::format(R"({{"spec":{{"size":{}}}}})", size));
  const auto stream = watch(world, "resourceVersion=" + since);
  EXPECT_EQ(textOf(*stream),
            fmt::format(R"({{"type":"ERROR","object":{{"kind":"Status","apiVersion":"v1","metadata":{{}},)"
                        R"~("status":"Failure","message":"too old resource version: {} ({})",)~"
                        R"("reason":"Expired","code":410}}}})"
                        "\n",
                        since, world.store.revision()));
  EXPECT_TRUE(stream->take().ended);
}

TEST(Watch, RefusesAVersionThatIsNotReached) {
  World world;
  EXPECT_EQ(world.get(fmt::format("{}?watch=1&resourceVersion=99999", kWidgets)).status, 504);
}

TEST(Watch, WakesWhoeverWaits) {
  World world;
  const auto stream = watch(world, "");
  int woken = 0;
  stream->whenReady([&] { ++woken; });
  EXPECT_EQ(woken, 0);
  world.post(kWidgets, widget("a"));
  EXPECT_EQ(woken, 1);
}

TEST(Watch, MakesTheTextOfAnEventOnce) {
  World world;
  const auto one = watch(world, "");
  const auto other = watch(world, "labelSelector=on%3Dyes");
  world.post(kWidgets, widget("a", R"(,"labels":{"on":"yes"})"));
  EXPECT_EQ(one->take().chunks.front().get(), other->take().chunks.front().get());
}

TEST(Watch, PrintsTablesAndNamesTheColumnsOnce) {
  World world;
  const auto stream = watch(world, "", "application/json;as=Table;v=v1;g=meta.k8s.io");
  world.post(kWidgets, widget("a"));
  world.post(kWidgets, widget("b"));
  const auto chunks = stream->take().chunks;
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_NE(chunks[0]->find(R"("kind":"Table")"), std::string::npos);
  EXPECT_NE(chunks[0]->find(R"("name":"Count")"), std::string::npos);
  EXPECT_EQ(chunks[1]->find(R"("name":"Count")"), std::string::npos);
  EXPECT_NE(chunks[1]->find(R"("cells":["b",null,"0s"])"), std::string::npos);
}

TEST(Watch, StaysInItsNamespace) {
  World world;
  ASSERT_TRUE(world.server.ensureNamespace("default-too"));
  const auto stream = watch(world, "");
  world.post("/apis/bench.example.com/v1/namespaces/default-too/widgets", widget("x"));
  EXPECT_EQ(eventsOf(*stream), Events{});
}

}  // namespace
}  // namespace godwit::apiserver::testing
