#include "kinds/secret.hpp"

#include <gtest/gtest.h>

#include "kinds/registry.hpp"

namespace godwit::kinds {
namespace {

schema::Definition secrets() {
  for (schema::Definition& definition : all())
    if (definition.kind.name == "Secret") return std::move(definition);
  return {};
}

object::Document written(const char* text) {
  object::Document secret = json::parse(text).as_object();
  secrets().applyDefaults(secret);
  return secret;
}

std::vector<FieldProblem> problemsOf(const object::Document& secret) { return secrets().check(secret).problems; }

TEST(Secret, TakesTextInPlaceOfBytes) {
  const auto secret = written(R"({"data": {"a": "b2xk", "b": "b2xk"}, "stringData": {"a": "new", "c": "more"}})");
  EXPECT_EQ(json::value(secret), json::parse(R"({"data": {"a": "bmV3", "b": "b2xk", "c": "bW9yZQ=="}})"));
  EXPECT_TRUE(problemsOf(secret).empty());
}

TEST(Secret, IsNotReadBackAsText) {
  EXPECT_EQ(json::value(written(R"({"stringData": {}})")), json::parse("{}"));
  EXPECT_EQ(json::value(written(R"({"stringData": null})")), json::parse("{}"));
}

TEST(Secret, RefusesTextThatIsNone) {
  for (const char* odd : {R"({"stringData": {"a": 1}})", R"({"stringData": "a"})"}) {
    const auto problems = problemsOf(written(odd));
    ASSERT_EQ(problems.size(), 1U) << odd;
    EXPECT_EQ(problems[0].path, "stringData");
  }
}

TEST(Secret, RefusesBytesThatAreNotBase64AndDoesNotRepeatThem) {
  const auto problems = problemsOf(written(R"({"data": {"password": "plain!"}})"));
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0], (FieldProblem{"data.password", "Invalid value: must be base64; stringData takes text"}));
}

}  // namespace
}  // namespace godwit::kinds
