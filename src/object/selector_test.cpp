#include "object/selector.hpp"

#include <gtest/gtest.h>

namespace godwit::object {
namespace {

const Labels kLabels = {{"app", "db"}, {"tier", "back"}, {"cores", "8"}, {"empty", ""}, {"godwit.io/zone", "a"}};

bool selects(std::string_view text) {
  const auto selector = LabelSelector::parse(text);
  EXPECT_TRUE(selector) << text << ": " << selector.error().message;
  return selector && selector->matches(kLabels);
}

TEST(LabelSelector, MatchesLabelsThatMeetEveryRequirement) {
  for (const char* text : {"",
                           "  ",
                           "app=db",
                           "app==db",
                           "app = db , tier=back",
                           "app!=web",
                           "other!=web",
                           "app in (web, db)",
                           "app notin (web)",
                           "other notin (web)",
                           "app",
                           "!other",
                           "cores>7",
                           "cores < 9",
                           "empty=",
                           "empty in (,x)",
                           "empty in (x,)",
                           "godwit.io/zone=a",
                           "app=db,tier in (back),!x,cores",
                           "! other"})
    EXPECT_TRUE(selects(text)) << text;
}

TEST(LabelSelector, RejectsLabelsThatMissOne) {
  for (const char* text : {"app=web", "other=db", "app!=db", "app in (web)", "app notin (web,db)", "other", "!app",
                           "cores>8", "cores<8", "app>1", "other>1", "app=db,tier=front", "app="})
    EXPECT_FALSE(selects(text)) << text;
}

TEST(LabelSelector, RefusesWhatItCannotRead) {
  for (const char* text : {"=",       "=a",     ",",       "a,",      ",a",         "a=b,",        "a b",   "a=b c",
                           "a in",    "a in b", "a in (b", "a in ()", "a in (b c)", "a notin b)",  "!",     "!a=b",
                           "a!b",     "a!",     "a>b",     "a>",      "a<<1",       "a=b=c",       "a==!b", "-a=b",
                           "a/b/c=d", "/a",     "A.b/c$",  "UPPER/x", "a=-b",       "a in (b,-c)", "a=b$",  "a.-b/c"}) {
    const auto selector = LabelSelector::parse(text);
    ASSERT_FALSE(selector) << text;
    EXPECT_EQ(selector.error().code, Code::Invalid) << text;
  }
  EXPECT_FALSE(LabelSelector::parse("a=" + std::string(64, 'x')));
  EXPECT_TRUE(LabelSelector::parse("a=" + std::string(63, 'x')));
  EXPECT_FALSE(LabelSelector::parse(std::string(64, 'x')));
  EXPECT_FALSE(LabelSelector::parse(std::string(254, 'x') + "/a"));
}

TEST(LabelSelector, IsEmptyWhenNothingIsAsked) {
  EXPECT_TRUE(LabelSelector::parse(" ")->empty());
  EXPECT_FALSE(LabelSelector::parse("a")->empty());
}

TEST(Requirement, ComparesIntegersOnly) {
  EXPECT_TRUE(matches({"cores", Requirement::Operator::Gt, {"-1"}}, kLabels));
  EXPECT_FALSE(matches({"cores", Requirement::Operator::Gt, {"1", "2"}}, kLabels));
  EXPECT_FALSE(matches({"cores", Requirement::Operator::Lt, {"many"}}, kLabels));
}

const Document kPod = parseDocument(R"({"metadata": {"name": "a", "namespace": "n", "labels": {"x": "y", "bad": 1}},
                                        "spec": {"nodeName": "node=1", "count": 3, "on": true}})")
                          .value();

TEST(FieldSelector, ComparesWhatStandsAtThePath) {
  const std::pair<const char*, bool> cases[] = {
      {"", true},
      {"metadata.name=a", true},
      {"metadata.name==a", true},
      {"metadata.name!=a", false},
      {"metadata.name=b", false},
      {"metadata.name=a,metadata.namespace=n", true},
      {"metadata.name=a,metadata.namespace=m", false},
      {R"(spec.nodeName=node\=1)", true},
      {"spec.nodeName!=", true},
      {"spec.other=", true},
      {"spec.other!=x", true},
      {"spec.other.deeper=x", false},
      {"metadata.name.first=", true},
      {"spec.count=3", true},
      {"spec.on=true", true},
  };
  for (const auto& [text, expected] : cases) {
    const auto selector = FieldSelector::parse(text);
    ASSERT_TRUE(selector) << text;
    EXPECT_EQ(selector->matches(kPod), expected) << text;
  }
}

TEST(FieldSelector, RefusesWhatItCannotRead) {
  for (const char* text : {"a", "=b", "!=b", "a=b=c", R"(a=\x)", R"(a=b\)", "a=b,c"}) {
    const auto selector = FieldSelector::parse(text);
    ASSERT_FALSE(selector) << text;
    EXPECT_EQ(selector.error().code, Code::Invalid) << text;
  }
}

TEST(FieldSelector, SaysWhichFieldsItAsksFor) {
  EXPECT_EQ(FieldSelector::parse(R"(a.b=1\,2,c!=3)")->paths(), (std::vector<std::string>{"a.b", "c"}));
}

TEST(LabelsOf, TakesTheTexts) {
  EXPECT_EQ(labelsOf(kPod), (Labels{{"x", "y"}}));
  EXPECT_EQ(labelsOf({}), Labels());
}

}  // namespace
}  // namespace godwit::object
