#include "apiserver/strategic_patch.hpp"

#include <gtest/gtest.h>

namespace godwit::apiserver {
namespace {

std::string patched(std::string_view target, std::string_view patch) {
  json::object object = json::parse(target).as_object();
  applyStrategicPatch(object, json::parse(patch).as_object());
  return json::serialize(object);
}

TEST(StrategicPatch, MergesObjectsAndRemovesWhatIsNull) {
  EXPECT_EQ(patched(R"({"a":{"b":1,"c":2}})", R"({"a":{"b":3,"c":null}})"), R"({"a":{"b":3}})");
}

TEST(StrategicPatch, MergesNamedElements) {
  EXPECT_EQ(patched(R"({"containers":[{"name":"a","image":"1"},{"name":"b","image":"2"}]})",
                    R"({"containers":[{"name":"b","image":"3"},{"name":"c"}]})"),
            R"({"containers":[{"name":"a","image":"1"},{"name":"b","image":"3"},{"name":"c"}]})");
}

TEST(StrategicPatch, ReplacesOtherLists) {
  EXPECT_EQ(patched(R"({"args":[1,2]})", R"({"args":[3]})"), R"({"args":[3]})");
}

TEST(StrategicPatch, DeletesElementsOnDemand) {
  EXPECT_EQ(
      patched(R"({"conditions":[{"type":"a"},{"type":"b"}]})", R"({"conditions":[{"type":"a","$patch":"delete"}]})"),
      R"({"conditions":[{"type":"b"}]})");
}

TEST(StrategicPatch, ReplacesOnDemand) {
  EXPECT_EQ(patched(R"({"a":{"b":1}})", R"({"a":{"$patch":"replace","c":2}})"), R"({"a":{"c":2}})");
  EXPECT_EQ(patched(R"({"volumes":[{"name":"a"}]})", R"({"volumes":[{"name":"b"},{"$patch":"replace"}]})"),
            R"({"volumes":[{"name":"b"}]})");
}

TEST(StrategicPatch, RetainsOnlyTheNamedKeys) {
  EXPECT_EQ(patched(R"({"s":{"a":1,"b":2}})", R"({"s":{"$retainKeys":["b","c"],"c":3}})"), R"({"s":{"b":2,"c":3}})");
}

TEST(StrategicPatch, OrdersElements) {
  EXPECT_EQ(patched(R"({"env":[{"name":"a"},{"name":"b"}]})",
                    R"({"$setElementOrder/env":[{"name":"b"},{"name":"a"}],"env":[{"name":"a","value":"1"}]})"),
            R"({"env":[{"name":"b"},{"name":"a","value":"1"}]})");
}

TEST(StrategicPatch, UnitesFinalizersAndTakesThemAway) {
  EXPECT_EQ(
      patched(R"({"finalizers":["a","b"]})", R"({"finalizers":["b","c"],"$deleteFromPrimitiveList/finalizers":["a"]})"),
      R"({"finalizers":["b","c"]})");
}

}  // namespace
}  // namespace godwit::apiserver
