#include <gtest/gtest.h>

#include "schema/example_test.hpp"

namespace godwit::schema {
namespace {

using Problems = std::vector<FieldProblem>;

// A cart with nothing wrong, and this one field of its spec as given.
json::object cartWith(std::string_view field, std::string_view value) {
  json::object cart = {{"apiVersion", "carts.example/v1"},
                       {"kind", "Cart"},
                       {"metadata", {{"name", "a"}, {"bogus", 1}}},
                       {"spec", {{"owner", "me"}}}};
  cart["spec"].as_object()[field] = json::parse(value);
  return cart;
}

Problems problemsWith(std::string_view field, std::string_view value) {
  const Findings findings = check<Cart>(cartWith(field, value));
  EXPECT_EQ(findings.unknownFields, std::vector<std::string>());
  return findings.problems;
}

TEST(Check, FindsNothingWrongWithAGoodObject) {
  EXPECT_EQ(problemsWith("speed", "60000"), Problems());
  EXPECT_EQ(problemsWith("speed", "1e3"), Problems());
  EXPECT_EQ(problemsWith("color", R"("Red")"), Problems());
  EXPECT_EQ(problemsWith("color", R"("")"), Problems());
  EXPECT_EQ(problemsWith("anything", R"([null, {"a": 1}])"), Problems());
  EXPECT_EQ(problemsWith("extra", R"({"a": {"b": null}})"), Problems());
  EXPECT_EQ(problemsWith("load", R"("128Mi")"), Problems());
  EXPECT_EQ(problemsWith("load", "12"), Problems());
  EXPECT_EQ(problemsWith("driver", "null"), Problems());
  EXPECT_EQ(problemsWith("limits", R"({"cpu": "1500m", "memory": 4})"), Problems());
}

TEST(Check, LooksIntoAListOfOneAndRefusesALongerOne) {
  EXPECT_EQ(problemsWith("lent", R"([{"place": "left"}])"), Problems());
  EXPECT_EQ(problemsWith("lent", "[{}]"), (Problems{{"spec.lent.place", "Required value"}}));
  EXPECT_EQ(problemsWith("lent", R"([{"place": "left"}, {"place": "right"}])"),
            (Problems{{"spec.lent",
                       "Invalid value: [{\"place\":\"left\"},{\"place\":\"right\"}]: must be one object, "
                       "or a list with it alone"}}));
}

TEST(Check, MissesWhatIsRequired) {
  const Problems missing = {{"spec.owner", "Required value"}};
  EXPECT_EQ(problemsWith("owner", "null"), missing);
  EXPECT_EQ(problemsWith("owner", R"("")"), missing);
  EXPECT_EQ(check<Cart>(json::object()).problems, (Problems{{"spec", "Required value"}}));
}

TEST(Check, NamesTheTypeItWants) {
  EXPECT_EQ(problemsWith("driver", "1"),
            (Problems{{"spec.driver",
                       R"(Invalid value: "integer": spec.driver in body must be of type string: "integer")"}}));
  EXPECT_EQ(
      problemsWith("braked", R"("yes")"),
      (Problems{{"spec.braked", R"(Invalid value: "string": spec.braked in body must be of type boolean: "string")"}}));
  EXPECT_EQ(
      problemsWith("speed", "1.5"),
      (Problems{{"spec.speed", R"(Invalid value: "number": spec.speed in body must be of type integer: "number")"}}));
  EXPECT_EQ(
      problemsWith("wheels", "{}"),
      (Problems{{"spec.wheels", R"(Invalid value: "object": spec.wheels in body must be of type array: "object")"}}));
  EXPECT_EQ(
      problemsWith("spare", "[]"),
      (Problems{{"spec.spare", R"(Invalid value: "array": spec.spare in body must be of type object: "array")"}}));
  EXPECT_EQ(
      problemsWith("extra", "true"),
      (Problems{{"spec.extra", R"(Invalid value: "boolean": spec.extra in body must be of type object: "boolean")"}}));
}

TEST(Check, HoldsNumbersToTheirRange) {
  EXPECT_EQ(problemsWith("speed", "0"), (Problems{{"spec.speed", "Invalid value: 0: must be between 1 and 60000"}}));
  EXPECT_EQ(problemsWith("gear", "0"), (Problems{{"spec.gear", "Invalid value: 0: must be between 1 and 2147483647"}}));
  EXPECT_EQ(problemsWith("gear", "18446744073709551615"),
            (Problems{{"spec.gear", "Invalid value: 18446744073709551615: must be between 1 and 2147483647"}}));
}

TEST(Check, ListsTheWordsItKnows) {
  EXPECT_EQ(problemsWith("color", R"("Blue")"),
            (Problems{{"spec.color", R"(Unsupported value: "Blue": supported values: "Red", "Green")"}}));
}

TEST(Check, RefusesWhatIsNoQuantity) {
  const Problems problems = problemsWith("limits", R"({"cpu": "lots"})");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].path, "spec.limits[cpu]");
  EXPECT_TRUE(problems[0].problem.starts_with(R"(Invalid value: "lots": quantities must match)"))
      << problems[0].problem;
}

TEST(Check, RefusesWhatIsNoTime) {
  json::object cart = cartWith("speed", "1");
  cart["status"] = {{"movedAt", "yesterday"}};
  EXPECT_EQ(
      check<Cart>(cart).problems,
      (Problems{{"status.movedAt",
                 R"(Invalid value: "yesterday": status.movedAt in body must be of type date-time: "yesterday")"}}));
}

TEST(Check, FindsEveryProblemAtOnceAndSaysWhere) {
  const Problems expected = {{"spec.wheels[1].place", "Required value"},
                             {"spec.wheels[2].spokes", "Invalid value: 50: must be between 0 and 48"}};
  const auto wheels = R"([{"place": "a"}, {}, {"place": "b", "spokes": 50}])";
  EXPECT_EQ(problemsWith("wheels", wheels), expected);
  EXPECT_EQ(problemsWith("wheel", wheels), expected);
  EXPECT_EQ(problemsWith("wheelsByName", R"({"left": {}})"),
            (Problems{{"spec.wheelsByName[left].place", "Required value"}}));
}

TEST(Check, NamesUnknownFieldsUnlessTheTypeIsOpen) {
  json::object cart = cartWith("wheels", R"([{"place": "a", "hub": 1}])");
  cart["spec"].as_object()["sail"] = "white";
  cart["status"] = {{"whatever", 1}};
  cart["data"] = 1;
  EXPECT_EQ(check<Cart>(cart).unknownFields, (std::vector<std::string>{"spec.wheels[0].hub", "spec.sail", "data"}));
}

TEST(Check, PutsTheGivenPathInFront) {
  EXPECT_EQ(check<Wheel>(json::object(), "spec.spare").problems, (Problems{{"spec.spare.place", "Required value"}}));
  EXPECT_EQ(check<Wheel>(json::value(1), "spec.spare").problems.size(), 1u);
}

TEST(Parse, AnswersWithEveryProblem) {
  const auto parsed = parse<Wheel>(json::parse(R"({"spokes": -1})"));
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, Code::Invalid);
  EXPECT_EQ(parsed.error().message, "place: Required value, spokes: Invalid value: -1: must be between 0 and 48");
  EXPECT_EQ(parsed.error().problems.size(), 2u);
}

TEST(Parse, ReadsWhatIsRight) { EXPECT_EQ(parse<Wheel>(json::parse(R"({"place": "a"})")), (Wheel{"a", 32})); }

struct Sail {
  std::string cloth;
  std::vector<std::string> ropes;

  bool operator==(const Sail&) const = default;
};

inline constexpr std::string_view kCloths[] = {"linen", "hemp"};

}  // namespace

template <>
inline constexpr auto schema<Sail> = object(field<&Sail::cloth>("cloth", "What it is made of.", oneOf(kCloths)),
                                            field<&Sail::ropes>("ropes", "What holds it.", oneOf(kCloths)),
                                            kept("colour", "maker"));

namespace {

TEST(Check, TellsWordsFromOtherTexts) {
  const auto findings = check<Sail>(json::parse(R"({"cloth": "silk", "ropes": ["hemp", "wire"]})").as_object());
  ASSERT_EQ(findings.problems.size(), 2u);
  EXPECT_EQ(findings.problems[0].path, "cloth");
  EXPECT_EQ(findings.problems[0].problem, R"(Unsupported value: "silk": supported values: "linen", "hemp")");
  EXPECT_EQ(findings.problems[1].path, "ropes[1]");
}

TEST(Check, TellsKeptFieldsFromUnknownOnes) {
  const auto findings = check<Sail>(json::parse(R"({"colour": {"any": 1}, "color": "red"})").as_object(), "spec");
  EXPECT_EQ(findings.unusedFields, std::vector<std::string>{"spec.colour"});
  EXPECT_EQ(findings.unknownFields, std::vector<std::string>{"spec.color"});
  EXPECT_TRUE(findings.problems.empty());
}

TEST(Check, DescribesWordsAndKeptFields) {
  const json::object schema = openApi<Sail>();
  EXPECT_EQ(schema.at("properties").at("cloth").at("enum"), json::parse(R"(["linen", "hemp"])"));
  EXPECT_EQ(schema.at("properties").at("ropes").at("items").at("enum"), json::parse(R"(["linen", "hemp"])"));
  EXPECT_EQ(schema.at("properties").at("maker").at("x-kubernetes-preserve-unknown-fields"), true);
  EXPECT_FALSE(schema.contains("x-kubernetes-preserve-unknown-fields"));
}

}  // namespace
}  // namespace godwit::schema
