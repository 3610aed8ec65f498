#include "kinds/node_selector.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace godwit::kinds {
namespace {

using object::Requirement;
using Operator = Requirement::Operator;
using Problems = std::vector<FieldProblem>;

bool isInteger(const std::string& text) {
  std::int64_t value = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stopped == text.data() + text.size();
}

void checkValues(const Requirement& requirement, const std::string& path, Problems& problems) {
  const auto& values = requirement.values;
  switch (requirement.op) {
    case Operator::In:
    case Operator::NotIn:
      if (values.empty())
        problems.push_back({path, "Required value: must be specified when `operator` is 'In' or 'NotIn'"});
      return;
    case Operator::Exists:
    case Operator::DoesNotExist:
      if (!values.empty())
        problems.push_back({path, "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"});
      return;
    case Operator::Gt:
    case Operator::Lt:
      if (values.size() != 1 || !isInteger(values.front()))
        problems.push_back(
            {path, "Required value: must be specified single value, an integer, when `operator` is 'Lt' or 'Gt'"});
      return;
  }
}

void checkField(const Requirement& requirement, const std::string& path, Problems& problems) {
  if (requirement.key != "metadata.name")
    problems.push_back({path + ".key", fmt::format("Invalid value: \"{}\": not a valid field selector key; "
                                                   "metadata.name is the only one",
                                                   requirement.key)});
  if (requirement.op != Operator::In && requirement.op != Operator::NotIn)
    problems.push_back({path + ".operator",
                        fmt::format("Invalid value: \"{}\": not a valid selector operator; fields take In and NotIn",
                                    schema::nameOf(requirement.op))});
  else if (requirement.values.size() != 1)
    problems.push_back({path + ".values",
                        "Required value: must be only one value when `operator` is 'In' or 'NotIn' "
                        "for node field selector"});
}

bool hasAll(const object::Labels& labels, const object::Labels& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& one) {
    const auto found = labels.find(one.first);
    return found != labels.end() && found->second == one.second;
  });
}

std::string show(const Requirement& requirement) {
  const auto op = schema::nameOf(requirement.op);
  return requirement.values.empty()
             ? fmt::format("{} {}", requirement.key, op)
             : fmt::format("{} {} [{}]", requirement.key, op, fmt::join(requirement.values, ", "));
}

}  // namespace

std::vector<FieldProblem> problemsOf(const NodeSelectorTerm& term, const std::string& path) {
  Problems problems;
  for (std::size_t i = 0; i < term.matchExpressions.size(); ++i)
    checkValues(term.matchExpressions[i], fmt::format("{}.matchExpressions[{}].values", path, i), problems);
  for (std::size_t i = 0; i < term.matchFields.size(); ++i)
    checkField(term.matchFields[i], fmt::format("{}.matchFields[{}]", path, i), problems);
  return problems;
}

std::string show(const NodeSelectorTerm& term) {
  std::vector<std::string> shown;
  for (const auto* requirements : {&term.matchFields, &term.matchExpressions})
    for (const Requirement& requirement : *requirements) shown.push_back(show(requirement));
  return fmt::format("{}", fmt::join(shown, ", "));
}

bool matches(const NodeSelectorTerm& term, const std::string& nodeName, const object::Labels& labels) {
  if (term.empty()) return false;
  const auto holdFor = [](const std::vector<object::Requirement>& all, const object::Labels& of) {
    return std::all_of(all.begin(), all.end(), [&](const auto& one) { return object::matches(one, of); });
  };
  if (!holdFor(term.matchExpressions, labels)) return false;
  return term.matchFields.empty() || holdFor(term.matchFields, {{"metadata.name", nodeName}});
}

bool matches(const NodeSelector& selector, const std::string& nodeName, const object::Labels& labels) {
  return std::any_of(selector.nodeSelectorTerms.begin(), selector.nodeSelectorTerms.end(),
                     [&](const NodeSelectorTerm& term) { return matches(term, nodeName, labels); });
}

bool matches(const LabelQuery& query, const object::Labels& labels) {
  return hasAll(labels, query.matchLabels) &&
         std::all_of(query.matchExpressions.begin(), query.matchExpressions.end(),
                     [&](const auto& one) { return object::matches(one, labels); });
}

bool mayGoTo(const object::Labels& nodeSelector, const std::optional<Affinity>& affinity, const std::string& nodeName,
             const object::Labels& labels) {
  if (!hasAll(labels, nodeSelector)) return false;
  const bool anywhere = !affinity || !affinity->nodeAffinity || !affinity->nodeAffinity->required;
  return anywhere || matches(*affinity->nodeAffinity->required, nodeName, labels);
}

bool tolerates(const Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (toleration.key.empty()) return toleration.op == "Exists";
  if (toleration.key != taint.key) return false;
  return toleration.op == "Exists" || toleration.value == taint.value;
}

}  // namespace godwit::kinds
