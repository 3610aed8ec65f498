#include "kinds/node_selector.hpp"

#include <gtest/gtest.h>

namespace godwit::kinds {
namespace {

using enum object::Requirement::Operator;

std::vector<std::string> pathsOfProblems(const NodeSelectorTerm& term) {
  std::vector<std::string> paths;
  for (const auto& [path, problem] : problemsOf(term, "term")) paths.push_back(path);
  return paths;
}

TEST(NodeSelectorTerm, HasNothingWrongWithEveryOperatorInItsPlace) {
  const NodeSelectorTerm term{{{"a", In, {"x", "y"}},
                               {"b", NotIn, {"x"}},
                               {"c", Exists, {}},
                               {"d", DoesNotExist, {}},
                               {"e", Gt, {"-1"}},
                               {"f", Lt, {"8"}}},
                              {{"metadata.name", In, {"node-1"}}, {"metadata.name", NotIn, {"node-2"}}}};
  EXPECT_EQ(pathsOfProblems(term), std::vector<std::string>());
}

TEST(NodeSelectorTerm, NamesValuesThatDoNotSuitTheOperator) {
  const NodeSelectorTerm term{
      {{"a", In, {}}, {"b", Exists, {"x"}}, {"c", Gt, {"much"}}, {"d", Lt, {"1", "2"}}, {"e", NotIn, {"x"}}}, {}};
  EXPECT_EQ(pathsOfProblems(term),
            (std::vector<std::string>{"term.matchExpressions[0].values", "term.matchExpressions[1].values",
                                      "term.matchExpressions[2].values", "term.matchExpressions[3].values"}));
}

TEST(NodeSelectorTerm, KnowsOneFieldAndTwoOperatorsForIt) {
  EXPECT_EQ(pathsOfProblems({{}, {{"metadata.uid", In, {"x"}}}}), std::vector<std::string>{"term.matchFields[0].key"});
  EXPECT_EQ(pathsOfProblems({{}, {{"metadata.name", Exists, {}}}}),
            std::vector<std::string>{"term.matchFields[0].operator"});
  EXPECT_EQ(pathsOfProblems({{}, {{"metadata.name", In, {"a", "b"}}}}),
            std::vector<std::string>{"term.matchFields[0].values"});
}

TEST(NodeSelectorTerm, IsShownAsPeopleWriteIt) {
  EXPECT_EQ(show(NodeSelectorTerm{{{"disk", Exists, {}}}, {{"metadata.name", In, {"a"}}}}),
            "metadata.name In [a], disk Exists");
}

}  // namespace
}  // namespace godwit::kinds
