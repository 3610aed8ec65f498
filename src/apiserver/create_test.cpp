#include "apiserver/world_test.hpp"

namespace godwit::apiserver::testing {
namespace {

TEST(Create, AnswersWithTheObjectAsItIsKept) {
  World world;
  const auto created = world.post(kWidgets, widget("g1"));
  EXPECT_EQ(created.status, 201);
  EXPECT_EQ(at(created, {"metadata", "namespace"}), "default");
  EXPECT_EQ(at(created, {"metadata", "creationTimestamp"}), "2027-01-15T08:00:00Z");
  EXPECT_EQ(at(created, {"metadata", "uid"}).size(), 36u);
  EXPECT_EQ(numberAt(created, {"metadata", "generation"}), "1");
  EXPECT_EQ(world.get(fmt::format("{}/g1", kWidgets)).body, created.body);
}

TEST(Create, RefusesANameThatIsTaken) {
  World world;
  world.post(kWidgets, widget("g1"));
  const auto again = world.post(kWidgets, widget("g1"));
  EXPECT_EQ(refusal(again), R"(409 AlreadyExists: widgets.bench.example.com "g1" already exists)");
  EXPECT_EQ(numberAt(again, {"details"}), R"({"name":"g1","group":"bench.example.com","kind":"widgets"})");
}

TEST(Create, CompletesAGenerateName) {
  World world;
  const auto created = world.post(kWidgets, R"({"metadata":{"generateName":"gen-"},"spec":{"size":1}})");
  EXPECT_EQ(created.status, 201);
  EXPECT_EQ(at(created, {"metadata", "name"}).size(), 9u);
  EXPECT_TRUE(at(created, {"metadata", "name"}).starts_with("gen-"));
}

TEST(Create, WantsAName) {
  World world;
  EXPECT_EQ(refusal(world.post(kWidgets, R"({"spec":{}})")),
            R"(422 Invalid: Widget.bench.example.com "" is invalid: metadata.name: )"
            "Required value: name or generateName is required");
}

TEST(Create, RefusesANameThatIsNoSubdomain) {
  World world;
  const auto refused = world.post(kWidgets, widget("Bad_Name"));
  EXPECT_TRUE(
      refusal(refused).starts_with(R"(422 Invalid: Widget.bench.example.com "Bad_Name" is invalid: )"
                                   R"(metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain)"));
  EXPECT_EQ(at(refused, {"details", "kind"}), "Widget");
}

TEST(Create, TellsEveryFieldThatIsWrong) {
  World world;
  const auto refused = world.post(kWidgets, R"({"metadata":{"name":"g2"},"spec":{"size":-1,"color":3}})");
  EXPECT_EQ(refused.status, 422);
  const json::object body = bodyOf(refused);
  const json::array& causes = body.at("details").at("causes").as_array();
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0].at("field"), "spec.size");
  EXPECT_EQ(causes[0].at("reason"), "FieldValueInvalid");
  EXPECT_EQ(causes[1].at("reason"), "FieldValueTypeInvalid");
  EXPECT_EQ(causes[1].at("message"),
            R"(Invalid value: "integer": spec.color in body must be of type string: "integer")");
}

TEST(Create, RefusesUnknownFieldsUnderStrictValidation) {
  World world;
  const auto refused = world.post(fmt::format("{}?fieldValidation=Strict", kWidgets),
                                  R"({"metadata":{"name":"g3"},"spec":{"bogus":1}})");
  EXPECT_EQ(refusal(refused), R"(400 BadRequest: Widget in version "v1" cannot be handled as a Widget: )"
                              R"(strict decoding error: unknown field "spec.bogus")");
}

TEST(Create, WarnsOfUnknownFieldsAndKeepsThem) {
  World world;
  const auto created = world.post(kWidgets, R"({"metadata":{"name":"g4"},"spec":{"bogus":1}})");
  EXPECT_EQ(created.status, 201);
  EXPECT_EQ(created.headers.at("warning"), R"(299 - "unknown field \"spec.bogus\"")");
  EXPECT_EQ(numberAt(created, {"spec", "bogus"}), "1");
  const auto ignored = world.post(fmt::format("{}?fieldValidation=Ignore", kWidgets),
                                  R"({"metadata":{"name":"g5"},"spec":{"bogus":1}})");
  EXPECT_FALSE(ignored.headers.contains("warning"));
}

TEST(Create, WarnsOfFieldsThatNothingActsOn) {
  World world;
  const std::string_view weighed = R"({"metadata":{"name":"g6"},"spec":{"weight":{"kg":1}}})";
  const auto created = world.post(fmt::format("{}?fieldValidation=Strict", kWidgets), weighed);
  EXPECT_EQ(created.status, 201);
  EXPECT_EQ(created.headers.at("warning"), R"(299 - "spec.weight is kept, but nothing here acts on it")");
  EXPECT_EQ(numberAt(created, {"spec", "weight", "kg"}), "1");
  const auto changed = world.patch(fmt::format("{}/g6", kWidgets), kMerge, R"({"spec":{"size":2}})");
  EXPECT_FALSE(changed.headers.contains("warning"));
}

TEST(Create, KeepsNothingOfADryRun) {
  World world;
  const auto dry = world.post(fmt::format("{}?dryRun=All", kWidgets), widget("g5"));
  EXPECT_EQ(dry.status, 201);
  EXPECT_EQ(version(dry), "");
  EXPECT_EQ(world.get(fmt::format("{}/g5", kWidgets)).status, 404);
  world.post(kWidgets, widget("g5"));
  EXPECT_EQ(world.post(fmt::format("{}?dryRun=All", kWidgets), widget("g5")).status, 409);
}

TEST(Create, TakesYaml) {
  World world;
  const auto created = world.send("POST", kWidgets, "metadata: {name: y1}\nspec:\n  size: 7\n", "application/yaml");
  EXPECT_EQ(created.status, 201);
  EXPECT_EQ(numberAt(created, {"spec", "size"}), "7");
}

TEST(Create, RefusesWhatItCannotRead) {
  World world;
  EXPECT_TRUE(refusal(world.post(kWidgets, R"({"apiVersion":)"))
                  .starts_with("400 BadRequest: the object provided is unrecognized (must be of type Widget): couldn't "
                               "get version/kind; json parse error: "));
  EXPECT_EQ(
      refusal(world.send("POST", kConfigMaps, "a=b", "application/x-www-form-urlencoded")),
      "415 UnsupportedMediaType: the body of the request was in an unknown format - accepted media types include: "
      "application/json, application/yaml, application/vnd.kubernetes.protobuf");
}

TEST(Create, RefusesAnotherKind) {
  World world;
  EXPECT_EQ(refusal(world.post(kWidgets, R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}})")),
            "400 BadRequest: the API version in the data (v1) does not match the expected API version "
            "(bench.example.com/v1)");
}

TEST(Create, WantsTheNamespaceToExist) {
  World world;
  const auto refused = world.post("/api/v1/namespaces/nope/configmaps", R"({"metadata":{"name":"x"}})");
  EXPECT_EQ(refusal(refused), R"(404 NotFound: namespaces "nope" not found)");
  EXPECT_EQ(numberAt(refused, {"details"}), R"({"name":"nope","kind":"namespaces"})");
  ASSERT_TRUE(world.server.ensureNamespace("nope"));
  EXPECT_EQ(world.post("/api/v1/namespaces/nope/configmaps", R"({"metadata":{"name":"x"}})").status, 201);
}

TEST(Create, RefusesANamespaceThatIsGoing) {
  World world;
  world.post("/api/v1/namespaces", R"({"metadata":{"name":"n","finalizers":["kubernetes"]}})");
  world.remove("/api/v1/namespaces/n");
  EXPECT_EQ(world.post("/api/v1/namespaces/n/configmaps", R"({"metadata":{"name":"x"}})").status, 403);
}

TEST(Create, LeavesTheStatusToThoseWhoReportIt) {
  World world;
  const auto created = world.post(kWidgets, R"({"metadata":{"name":"g"},"spec":{},"status":{"phase":"Ready"}})");
  EXPECT_EQ(numberAt(created, {"status"}), "");
}

TEST(Create, DoesNotGiveTheSpeclessAGeneration) {
  World world;
  EXPECT_EQ(numberAt(world.post(kConfigMaps, R"({"metadata":{"name":"c"}})"), {"metadata", "generation"}), "");
}

TEST(Create, DropsManagedFields) {
  World world;
  const auto created = world.post(kWidgets, widget("g", R"(,"managedFields":[{"manager":"x"}])"));
  EXPECT_EQ(created.body.find("managedFields"), std::string::npos);
}

TEST(Create, CompletesWhatTheRulesKnow) {
  World world;
  world.server.objects().completeBy(*world.server.catalog().find("bench.example.com", "v1", "widgets"),
                                    [](object::Document& made) {
                                      made["spec"] = {{"size", 7}};
                                    });
  world.post(kWidgets, widget("g1"));
  EXPECT_EQ(numberAt(world.get(std::string(kWidgets) + "/g1"), {"spec", "size"}), "7");
  EXPECT_EQ(numberAt(world.patch(std::string(kWidgets) + "/g1", kMerge, R"({"spec":{"size":8}})"), {"spec", "size"}),
            "8");
}

}  // namespace
}  // namespace godwit::apiserver::testing
