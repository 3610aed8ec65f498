#include "object/patch.hpp"

#include <ostream>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace godwit::object {
namespace {

json::value merged(std::string_view target, std::string_view patch) {
  json::value value = json::parse(target);
  applyMergePatch(value, json::parse(patch));
  return value;
}

TEST(MergePatch, DoesWhatTheAppendixOfTheRfcSays) {
  struct {
    const char* target;
    const char* patch;
    const char* result;
  } const cases[] = {
      {R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
      {R"({"a":"b"})", R"({"a":null})", R"({})"},
      {R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
      {R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
      {R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
      {R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
      {R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
      {R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
      {R"({"a":"b"})", R"(["c"])", R"(["c"])"},
      {R"({"a":"foo"})", "null", "null"},
      {R"({"a":"foo"})", R"("bar")", R"("bar")"},
      {R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
      {R"([1,2])", R"({"a":"b","c":null})", R"({"a":"b"})"},
      {R"({})", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
  };
  for (const auto& [target, patch, result] : cases)
    EXPECT_EQ(merged(target, patch), json::parse(result)) << target << " " << patch;
}

TEST(MergePatch, KeepsNullsInsideArrays) {
  EXPECT_EQ(merged(R"({"a":[1]})", R"({"a":[null,{"b":null}]})"), json::parse(R"({"a":[null,{"b":null}]})"));
}

TEST(MergePatchBetween, TurnsOneIntoTheOther) {
  const char* const documents[] = {
      R"({})",
      R"({"a":1})",
      R"({"a":{"b":{"c":1}},"d":[1,2,null]})",
      R"({"a":{"b":{"c":2,"x":"y"}},"d":[1,{"e":null}]})",
      R"({"a":"text","d":{}})",
      R"({"a":{},"z":[]})",
  };
  for (const char* before : documents) {
    for (const char* after : documents) {
      json::value value = json::parse(before);
      applyMergePatch(value, mergePatchBetween(value.get_object(), json::parse(after).get_object()));
      EXPECT_EQ(value, json::parse(after)) << before << " to " << after;
    }
  }
}

TEST(MergePatchBetween, SaysNoMoreThanWhatChanged) {
  const auto between = [](std::string_view before, std::string_view after) {
    return json::serialize(mergePatchBetween(json::parse(before).get_object(), json::parse(after).get_object()));
  };
  EXPECT_EQ(between(R"({"a":{"b":1,"c":2},"d":3})", R"({"d":3,"a":{"b":1,"c":4}})"), R"({"a":{"c":4}})");
  EXPECT_EQ(between(R"({"a":1,"n":null})", R"({"a":1,"n":null})"), "{}");
  EXPECT_EQ(between(R"({})", R"({"n":null})"), "{}");
}

struct Case {
  const char* name;
  const char* target;
  const char* patch;
  const char* result;
};

void PrintTo(const Case& example, std::ostream* out) { *out << example.name; }

class JsonPatchOfTheRfc : public testing::TestWithParam<Case> {};

TEST_P(JsonPatchOfTheRfc, GivesTheResultThere) {
  json::value value = json::parse(GetParam().target);
  const auto applied = applyJsonPatch(value, json::parse(GetParam().patch));
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(value, json::parse(GetParam().result));
}

INSTANTIATE_TEST_SUITE_P(
    Appendix, JsonPatchOfTheRfc,
    testing::Values(
        Case{"A1", R"({"foo":"bar"})", R"([{"op":"add","path":"/baz","value":"qux"}])", R"({"baz":"qux","foo":"bar"})"},
        Case{"A2", R"({"foo":["bar","baz"]})", R"([{"op":"add","path":"/foo/1","value":"qux"}])",
             R"({"foo":["bar","qux","baz"]})"},
        Case{"A3", R"({"baz":"qux","foo":"bar"})", R"([{"op":"remove","path":"/baz"}])", R"({"foo":"bar"})"},
        Case{"A4", R"({"foo":["bar","qux","baz"]})", R"([{"op":"remove","path":"/foo/1"}])",
             R"({"foo":["bar","baz"]})"},
        Case{"A5", R"({"baz":"qux","foo":"bar"})", R"([{"op":"replace","path":"/baz","value":"boo"}])",
             R"({"baz":"boo","foo":"bar"})"},
        Case{"A6", R"({"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}})",
             R"([{"op":"move","from":"/foo/waldo","path":"/qux/thud"}])",
             R"({"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}})"},
        Case{"A7", R"({"foo":["all","grass","cows","eat"]})", R"([{"op":"move","from":"/foo/1","path":"/foo/3"}])",
             R"({"foo":["all","cows","eat","grass"]})"},
        Case{"A8", R"({"baz":"qux","foo":["a",2,"c"]})",
             R"([{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}])",
             R"({"baz":"qux","foo":["a",2,"c"]})"},
        Case{"A10", R"({"foo":"bar"})", R"([{"op":"add","path":"/child","value":{"grandchild":{}}}])",
             R"({"foo":"bar","child":{"grandchild":{}}})"},
        Case{"A11", R"({"foo":"bar"})", R"([{"op":"add","path":"/baz","value":"qux","xyz":123}])",
             R"({"foo":"bar","baz":"qux"})"},
        Case{"A14", R"({"/":9,"~1":10})", R"([{"op":"test","path":"/~01","value":10}])", R"({"/":9,"~1":10})"},
        Case{"A16", R"({"foo":["bar"]})", R"([{"op":"add","path":"/foo/-","value":["abc","def"]}])",
             R"({"foo":["bar",["abc","def"]]})"}),
    [](const auto& tested) { return tested.param.name; });

Error refusal(std::string_view target, std::string_view patch) {
  json::value value = json::parse(target);
  const auto applied = applyJsonPatch(value, json::parse(patch));
  EXPECT_EQ(value, json::parse(target)) << "changed by a patch that failed";
  return applied ? Error{Code::Internal, "applied"} : applied.error();
}

TEST(JsonPatch, ConflictsWithWhatIsNotThereOrAnother) {
  for (const char* patch : {
           R"([{"op":"test","path":"/baz","value":"bar"}])",
           R"([{"op":"add","path":"/new","value":1},{"op":"test","path":"/foo","value":"bar"}])",
           R"([{"op":"test","path":"/foo/0","value":"1"}])",
           R"([{"op":"add","path":"/baz/bat","value":"qux"}])",
           R"([{"op":"remove","path":"/foo/2"}])",
           R"([{"op":"remove","path":"/bar"}])",
           R"([{"op":"replace","path":"/bar","value":1}])",
           R"([{"op":"move","from":"/bar","path":"/b"}])",
           R"([{"op":"copy","from":"/bar","path":"/b"}])",
           R"([{"op":"add","path":"/foo/3","value":1}])",
           R"([{"op":"add","path":"/foo/0/x","value":1}])",
       })
    EXPECT_EQ(refusal(R"({"foo":[1,2]})", patch).code, Code::Conflict) << patch;
}

TEST(JsonPatch, RefusesWhatIsNoPatch) {
  for (const char* patch : {
           R"({"op":"add"})",
           R"([7])",
           R"([{"op":"add","path":"/a"}])",
           R"([{"op":"add","value":1}])",
           R"([{"path":"/a","value":1}])",
           R"([{"op":"increment","path":"/a","value":1}])",
           R"([{"op":"add","path":"a","value":1}])",
           R"([{"op":"add","path":"/~2","value":1}])",
           R"([{"op":"add","path":"/~","value":1}])",
           R"([{"op":"add","path":"/foo/01","value":1}])",
           R"([{"op":"add","path":"/foo/x","value":1}])",
           R"([{"op":"remove","path":"/foo/-"}])",
           R"([{"op":"move","path":"/foo/0"}])",
           R"([{"op":"move","from":"/foo","path":"/foo/0"}])",
           R"([{"op":"remove","path":""}])",
       })
    EXPECT_EQ(refusal(R"({"foo":[1,2]})", patch).code, Code::Invalid) << patch;
}

TEST(JsonPatch, RefusesToCopyWithoutEnd) {
  json::array patch;
  for (int i = 0; i < 64; ++i)
    patch.push_back(json::object{{"op", "copy"}, {"from", ""}, {"path", fmt::format("/{}", i)}});
  json::value value = {{"text", "some"}};
  const auto applied = applyJsonPatch(value, patch);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code, Code::Invalid);
}

json::value patched(std::string_view target, std::string_view patch) {
  json::value value = json::parse(target);
  const auto applied = applyJsonPatch(value, json::parse(patch));
  EXPECT_TRUE(applied) << applied.error().message;
  return value;
}

TEST(JsonPatch, KeepsExplicitNulls) {
  EXPECT_EQ(
      patched(R"({"a":[1]})", R"([{"op":"add","path":"/a/0","value":null},{"op":"add","path":"/b","value":null}])"),
      json::parse(R"({"a":[null,1],"b":null})"));
}

TEST(JsonPatch, ComparesNumbersByValueAndObjectsWithoutOrder) {
  const auto document = R"({"a":{"x":1,"y":[2.0]}})";
  EXPECT_EQ(patched(document, R"([{"op":"test","path":"/a","value":{"y":[2],"x":1.0}}])"), json::parse(document));
}

TEST(JsonPatch, ReachesTheWholeDocument) {
  EXPECT_EQ(patched(R"({"a":1})", R"([{"op":"replace","path":"","value":{"b":2}}])"), json::parse(R"({"b":2})"));
  EXPECT_EQ(patched(R"({"a":1})", R"([{"op":"add","path":"/","value":2}])"), json::parse(R"({"a":1,"":2})"));
  EXPECT_EQ(patched(R"({"a":1})", R"([{"op":"move","from":"/a","path":"/a"}])"), json::parse(R"({"a":1})"));
}

}  // namespace
}  // namespace godwit::object
