#include "apiserver/world_test.hpp"

namespace godwit::apiserver::testing {
namespace {

constexpr std::string_view kTable = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

std::vector<std::string> namesIn(const http::Response& response) {
  const json::object body = bodyOf(response);
  std::vector<std::string> names;
  for (const json::value& item : body.at("items").as_array())
    names.push_back(object::textAt(item.as_object(), {"metadata", "name"}));
  return names;
}

using Names = std::vector<std::string>;

class List : public ::testing::Test {
 protected:
  List() {
    for (const char* name : {"a", "b", "c"})
      world_.post(kWidgets, widget(name, fmt::format(R"(,"labels":{{"app":"{}"}})", name)));
  }

  http::Response list(std::string_view query, std::string_view accept = "application/json") {
    return world_.get(fmt::format("{}?{}", kWidgets, query), accept);
  }

  World world_;
};

TEST_F(List, ShowsAllObjectsWithTheirVersions) {
  const auto listed = list("");
  EXPECT_EQ(at(listed, {"kind"}), "WidgetList");
  EXPECT_EQ(namesIn(listed), (Names{"a", "b", "c"}));
  EXPECT_EQ(version(listed), fmt::to_string(world_.store.revision()));
  const json::object body = bodyOf(listed);
  const json::object& first = body.at("items").at(0).as_object();
  EXPECT_EQ(first, bodyOf(world_.get(fmt::format("{}/a", kWidgets))));
}

TEST_F(List, LeavesTheTypeOfBuiltInItemsOut) {
  world_.post(kConfigMaps, R"({"metadata":{"name":"c"},"data":{"a":"b"}})");
  const json::object body = bodyOf(world_.get(kConfigMaps));
  const json::object& item = body.at("items").at(0).as_object();
  EXPECT_FALSE(item.contains("kind"));
  EXPECT_FALSE(item.contains("apiVersion"));
  EXPECT_EQ(object::textAt(item, {"data", "a"}), "b");
}

TEST_F(List, SelectsByLabelsAndFields) {
  EXPECT_EQ(namesIn(list("labelSelector=app%20in%20(a,c)")), (Names{"a", "c"}));
  EXPECT_EQ(namesIn(list("fieldSelector=metadata.name%3Db")), (Names{"b"}));
  EXPECT_EQ(namesIn(list("labelSelector=x%3Dy")), Names{});
  EXPECT_EQ(refusal(list("fieldSelector=spec.size%3D1")), "400 BadRequest: field label not supported: spec.size");
}

TEST_F(List, GoesOnWhereTheLastPageEnded) {
  const auto first = list("limit=2");
  EXPECT_EQ(namesIn(first), (Names{"a", "b"}));
  const std::string token = at(first, {"metadata", "continue"});
  ASSERT_NE(token, "");
  world_.post(kWidgets, widget("d"));
  const auto second = list("limit=2&continue=" + http::encode(token));
  EXPECT_EQ(namesIn(second), (Names{"c", "d"}));
  EXPECT_EQ(at(second, {"metadata", "continue"}), "");
  EXPECT_EQ(version(second), version(first));
}

TEST_F(List, FillsAPageWithWhatIsSelected) {
  const auto page = list("limit=1&labelSelector=app%3Dc");
  EXPECT_EQ(namesIn(page), (Names{"c"}));
  EXPECT_EQ(at(page, {"metadata", "continue"}), "");
}

TEST_F(List, RefusesAForeignContinueToken) { EXPECT_EQ(list("limit=1&continue=abc").status, 400); }

TEST_F(List, CrossesNamespaces) {
  ASSERT_TRUE(world_.server.ensureNamespace("other"));
  world_.post("/apis/bench.example.com/v1/namespaces/other/widgets", widget("o"));
  EXPECT_EQ(namesIn(world_.get("/apis/bench.example.com/v1/widgets")), (Names{"a", "b", "c", "o"}));
  EXPECT_EQ(namesIn(list("")), (Names{"a", "b", "c"}));
}

TEST_F(List, JudgesTheVersionThatIsAskedFor) {
  EXPECT_EQ(list("resourceVersion=0").status, 200);
  EXPECT_EQ(list("resourceVersion=1").status, 200);
  EXPECT_EQ(list("resourceVersion=1&resourceVersionMatch=Exact").status, 410);
  const auto tooLarge = list("resourceVersion=999999999");
  EXPECT_TRUE(refusal(tooLarge).starts_with("504 Timeout: Timeout: Too large resource version: 999999999, current: "));
  EXPECT_NE(tooLarge.body.find(R"("reason":"ResourceVersionTooLarge")"), std::string::npos);
  EXPECT_EQ(tooLarge.headers.at("retry-after"), "1");
}

TEST_F(List, PrintsATable) {
  world_.patch(fmt::format("{}/b/status", kWidgets), kMerge, R"({"status":{"count":3}})");
  world_.clock.advance(std::chrono::seconds(90));
  const json::object table = bodyOf(list("", kTable));
  EXPECT_EQ(table.at("kind"), "Table");
  EXPECT_EQ(table.at("columnDefinitions").at(0).at("format"), "name");
  EXPECT_EQ(table.at("columnDefinitions").at(1).at("name"), "Count");
  EXPECT_EQ(json::serialize(table.at("rows").at(0).at("cells")), R"(["a",null,"90s"])");
  EXPECT_EQ(json::serialize(table.at("rows").at(1).at("cells")), R"(["b",3,"90s"])");
  EXPECT_EQ(table.at("rows").at(0).at("object").at("kind"), "PartialObjectMetadata");
}

TEST_F(List, PrintsTheAgeWhereNoColumnsAreDeclared) {
  const json::object table = bodyOf(world_.get("/api/v1/namespaces", kTable));
  EXPECT_EQ(json::serialize(table.at("rows").at(0).at("cells")), R"(["default","0s"])");
}

TEST_F(List, CarriesWhatTheTableIsAskedToCarry) {
  const json::object whole = bodyOf(list("includeObject=Object", kTable));
  EXPECT_EQ(whole.at("rows").at(0).at("object").at("kind"), "Widget");
  const json::object none = bodyOf(list("includeObject=None", kTable));
  EXPECT_FALSE(none.at("rows").at(0).as_object().contains("object"));
}

TEST_F(List, ShowsMetadataAlone) {
  const auto listed = list("", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io");
  EXPECT_EQ(at(listed, {"kind"}), "PartialObjectMetadataList");
  EXPECT_EQ(namesIn(listed), (Names{"a", "b", "c"}));
  const auto one =
      world_.get(fmt::format("{}/a", kWidgets), "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io");
  EXPECT_EQ(at(one, {"kind"}), "PartialObjectMetadata");
  EXPECT_EQ(numberAt(one, {"spec"}), "");
}

TEST_F(List, SpeaksYaml) {
  const auto listed = world_.get(fmt::format("{}/a", kWidgets), "application/yaml");
  EXPECT_EQ(listed.headers.at("content-type"), "application/yaml");
  EXPECT_NE(listed.body.find("kind: Widget\n"), std::string::npos);
}

TEST_F(List, RefusesFormsThatItDoesNotSpeak) {
  EXPECT_EQ(list("", "text/html").status, 406);
  EXPECT_EQ(at(list("", "text/html"), {"reason"}), "NotAcceptable");
  EXPECT_EQ(list("", "application/vnd.kubernetes.protobuf, application/json").status, 200);
}

}  // namespace
}  // namespace godwit::apiserver::testing
