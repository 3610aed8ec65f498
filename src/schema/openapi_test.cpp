#include "schema/openapi.hpp"

#include <gtest/gtest.h>

#include "schema/example_test.hpp"

namespace godwit::schema {
namespace {

json::value specField(std::string_view name) { return openApi<CartSpec>()["properties"].as_object()[name]; }

TEST(OpenApi, DescribesEveryType) {
  EXPECT_EQ(specField("driver"), json::parse(R"({"type": "string", "description": "Who drives it."})"));
  EXPECT_EQ(specField("color"),
            json::parse(R"({"type": "string", "enum": ["Red", "Green"], "description": "Its color."})"));
  EXPECT_EQ(specField("braked"),
            json::parse(R"({"type": "boolean", "default": true, "description": "Whether it has a brake."})"));
  EXPECT_EQ(specField("speed"), json::parse(R"({"type": "integer", "format": "int64", "minimum": 1, "maximum": 60000,
                                                "default": 300, "description": "How fast it is."})"));
  EXPECT_EQ(specField("gear"), json::parse(R"({"type": "integer", "format": "int32", "minimum": 1,
                                               "description": "The gear it is in."})"));
  EXPECT_EQ(specField("load"), json::parse(R"({"anyOf": [{"type": "integer"}, {"type": "string"}],
                                   "x-kubernetes-int-or-string": true, "description": "What it carries."})"));
  EXPECT_EQ(specField("anything"),
            json::parse(R"({"x-kubernetes-preserve-unknown-fields": true, "description": "Whatever."})"));
  EXPECT_EQ(specField("extra"), json::parse(R"({"type": "object", "x-kubernetes-preserve-unknown-fields": true,
                                                "description": "Whatever is an object."})"));
  EXPECT_EQ(openApi<CartStatus>()["properties"].at("movedAt"),
            json::parse(R"({"type": "string", "format": "date-time", "description": "When it moved last."})"));
}

const auto kWheel = json::parse(R"({"type": "object", "required": ["place"], "properties": {
    "place": {"type": "string", "minLength": 1, "description": "Where it turns."},
    "spokes": {"type": "integer", "format": "int32", "minimum": 0, "maximum": 48, "default": 32,
               "description": "How many spokes it has."}}})");

TEST(OpenApi, DescribesWhatIsInside) {
  EXPECT_EQ(openApi<Wheel>(), kWheel);
  EXPECT_EQ(specField("wheels").at("items"), kWheel);
  EXPECT_EQ(specField("wheels").at("type"), "array");
  EXPECT_EQ(specField("wheel").at("items"), kWheel);
  EXPECT_EQ(specField("wheelsByName").at("additionalProperties"), kWheel);
  EXPECT_EQ(specField("wheelsByName").at("type"), "object");
}

TEST(OpenApi, TakesDefaultsFromTheWholeObject) {
  EXPECT_EQ(specField("steering").at_pointer("/properties/spokes/default"), 8);
}

TEST(OpenApi, KeepsImmutableFieldsAsTheyWere) {
  const auto rule = json::parse(R"([{"rule": "self == oldSelf", "message": "field is immutable"}])");
  EXPECT_EQ(specField("owner").at("x-kubernetes-validations"), rule);
  EXPECT_EQ(specField("fifth").at("x-kubernetes-validations"), rule);
  EXPECT_FALSE(specField("driver").as_object().contains("x-kubernetes-validations"));
}

TEST(OpenApi, LetsOpenTypesHaveOtherFields) {
  EXPECT_EQ(openApi<CartStatus>()["x-kubernetes-preserve-unknown-fields"], true);
  EXPECT_FALSE(openApi<CartSpec>().contains("x-kubernetes-preserve-unknown-fields"));
}

TEST(OpenApi, GivesAKindWhatAllKindsHave) {
  const json::object whole = openApi<Cart>();
  EXPECT_EQ(whole.at("type"), "object");
  EXPECT_EQ(whole.at("required"), json::parse(R"(["spec"])"));
  EXPECT_EQ(whole.at("properties").at("metadata"), json::parse(R"({"type": "object"})"));
  EXPECT_EQ(whole.at("properties").at("apiVersion").at("type"), "string");
  EXPECT_EQ(whole.at("properties").at("kind").at("type"), "string");
  EXPECT_EQ(whole.at("properties").as_object().size(), 5u);
}

}  // namespace
}  // namespace godwit::schema
