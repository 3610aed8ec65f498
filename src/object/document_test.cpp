#include "object/document.hpp"

#include <gtest/gtest.h>

namespace godwit::object {
namespace {

const Document kVm =
    parseDocument(R"({"metadata": {"name": "db-1", "namespace": "prod"}, "list": [{"a": 1}], "n": 1})").value();

TEST(Key, IsShownAsPeopleWriteIt) {
  EXPECT_EQ(show(keyOf(kVm)), "prod/db-1");
  EXPECT_EQ(show({"", "node-a"}), "node-a");
}

TEST(Find, FollowsMemberNames) {
  EXPECT_EQ(*find(kVm, {"metadata", "name"}), "db-1");
  EXPECT_EQ(textAt(kVm, {"metadata", "name"}), "db-1");
}

TEST(Find, AnswersNothingForWhatIsNotThere) {
  EXPECT_EQ(find(kVm, {"metadata", "uid"}), nullptr);
  EXPECT_EQ(find(kVm, {"n", "name"}), nullptr);
  EXPECT_EQ(find(kVm, {"list", "0"}), nullptr);
  EXPECT_EQ(textAt(kVm, {"n"}), "");
  EXPECT_EQ(keyOf({}), Key());
}

TEST(ParseDocument, KeepsEveryNumberExact) {
  const auto document = parseDocument(R"({"n": 9007199254740993})");
  ASSERT_TRUE(document);
  EXPECT_EQ(json::serialize(*document), R"({"n":9007199254740993})");
}

TEST(ParseDocument, RefusesWhatIsNoObject) {
  for (const std::string& text : {std::string("[]"), std::string("{"), std::string(), std::string("{} {}"),
                                  "{\"a\":" + std::string(1000, '[') + std::string(1000, ']') + "}"}) {
    const auto document = parseDocument(text);
    ASSERT_FALSE(document) << text;
    EXPECT_EQ(document.error().code, Code::Invalid);
  }
}

}  // namespace
}  // namespace godwit::object
