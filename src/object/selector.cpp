#include "object/selector.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

namespace godwit::object {
namespace {

using Operator = Requirement::Operator;

std::optional<std::int64_t> integer(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return value;
}

template <class Compare>
bool comparesAs(const Requirement& requirement, const std::string& label, Compare compare) {
  const auto left = integer(label);
  const auto right = requirement.values.size() == 1 ? integer(requirement.values.front()) : std::nullopt;
  return left && right && compare(*left, *right);
}

}  // namespace

bool matches(const Requirement& requirement, const Labels& labels) {
  const auto label = labels.find(requirement.key);
  const bool present = label != labels.end();
  const auto listed = [&] {
    const auto& values = requirement.values;
    return std::find(values.begin(), values.end(), label->second) != values.end();
  };
  switch (requirement.op) {
    case Operator::In:
      return present && listed();
    case Operator::NotIn:
      return !present || !listed();
    case Operator::Exists:
      return present;
    case Operator::DoesNotExist:
      return !present;
    case Operator::Gt:
      return present && comparesAs(requirement, label->second, std::greater<>());
    case Operator::Lt:
      return present && comparesAs(requirement, label->second, std::less<>());
  }
  __builtin_unreachable();
}

bool LabelSelector::matches(const Labels& labels) const {
  return std::all_of(requirements_.begin(), requirements_.end(),
                     [&](const Requirement& requirement) { return object::matches(requirement, labels); });
}

Labels labelsOf(const Document& document) {
  Labels labels;
  const json::value* found = find(document, {"metadata", "labels"});
  if (!found || !found->is_object()) return labels;
  for (const auto& [name, value] : found->get_object())
    if (const auto* text = value.if_string()) labels.emplace(name, *text);
  return labels;
}

std::string valueOf(const Labels& labels, std::string_view key) {
  const auto found = labels.find(std::string(key));
  return found == labels.end() ? "" : found->second;
}

}  // namespace godwit::object
