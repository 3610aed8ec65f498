#include <algorithm>

#include <fmt/format.h>

#include "base/quantity.hpp"
#include "base/time_format.hpp"
#include "schema/read.hpp"

namespace godwit::schema {
namespace {

std::string_view typeOf(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      return "null";
    case json::kind::bool_:
      return "boolean";
    case json::kind::int64:
      return "integer";
    case json::kind::uint64:
      return "integer";
    case json::kind::double_:
      return "number";
    case json::kind::string:
      return "string";
    case json::kind::array:
      return "array";
    case json::kind::object:
      return "object";
  }
  __builtin_unreachable();
}

std::string join(const std::string& path, std::string_view member) {
  return path.empty() ? std::string(member) : fmt::format("{}.{}", path, member);
}

// Collects every problem, not just the first.
class Checker {
 public:
  void checkValue(const Shape& shape, const Rules& rules, const json::value& value, const std::string& path);
  void checkObject(const Shape& shape, const json::object& object, const std::string& path);
  Findings take() { return std::move(findings_); }

 private:
  void checkInteger(const Shape& shape, const Rules& rules, const json::value& value, const std::string& path);
  void checkText(const Rules& rules, const json::value& value, const std::string& path);
  void checkWord(std::span<const std::string_view> words, const json::value& value, const std::string& path);
  void checkTime(const json::value& value, const std::string& path);
  void checkList(const Shape& shape, const Rules& rules, const json::value& value, const std::string& path);
  void checkMap(const Shape& shape, const Rules& rules, const json::value& value, const std::string& path);
  void checkNames(const Shape& shape, const json::object& object, const std::string& path);

  void report(const std::string& path, std::string problem) {
    findings_.problems.push_back({path, std::move(problem)});
  }
  void refuse(const std::string& path, const json::value& value, std::string_view why) {
    report(path, fmt::format("Invalid value: {}: {}", json::serialize(value), why));
  }
  // Whether the value may be looked into as this type.
  bool expect(bool right, std::string_view type, const json::value& value, const std::string& path) {
    if (!right)
      report(path, fmt::format("Invalid value: \"{0}\": {1} in body must be of type {2}: \"{0}\"", typeOf(value), path,
                               type));
    return right;
  }

  Findings findings_;
};

void Checker::checkValue(const Shape& shape, const Rules& rules, const json::value& value, const std::string& path) {
  if (rules.listOfOne && value.is_array()) return refuse(path, value, "must be one object, or a list with it alone");
  switch (shape.form) {
    case Form::Boolean:
      expect(value.is_bool(), "boolean", value, path);
      return;
    case Form::Integer:
      return checkInteger(shape, rules, value, path);
    case Form::Text:
      return checkText(rules, value, path);
    case Form::Word:
      return checkWord(shape.words, value, path);
    case Form::Time:
      return checkTime(value, path);
    case Form::Free:
      return;
    case Form::FreeObject:
      expect(value.is_object(), "object", value, path);
      return;
    case Form::Optional:
      return checkValue(*shape.element, rules, value, path);
    case Form::List:
      return checkList(shape, rules, value, path);
    case Form::Map:
      return checkMap(shape, rules, value, path);
    case Form::Object:
      if (expect(value.is_object(), "object", value, path)) checkObject(shape, value.get_object(), path);
      return;
  }
}

void Checker::checkInteger(const Shape& shape, const Rules& rules, const json::value& value, const std::string& path) {
  const auto number = integerIn(value);
  if (!expect(number || value.is_uint64(), "integer", value, path)) return;
  const auto low = std::max(rules.min, shape.lowest);
  const auto high = std::min(rules.max, shape.highest);
  if (number && *number >= low && *number <= high) return;
  if (high == std::numeric_limits<std::int64_t>::max() && number) {
    refuse(path, value, fmt::format("must be greater than or equal to {}", low));
  } else {
    refuse(path, value, fmt::format("must be between {} and {}", low, high));
  }
}

void Checker::checkText(const Rules& rules, const json::value& value, const std::string& path) {
  if (rules.quantity && value.is_number()) return;
  if (!expect(value.is_string(), "string", value, path)) return;
  const std::string_view text = value.get_string();
  if (rules.required && text.empty()) return report(path, "Required value");
  if (!rules.words.empty()) return checkWord(rules.words, value, path);
  if (!rules.quantity) return;
  const auto quantity = parseMilliQuantity(text);
  if (!quantity) refuse(path, value, quantity.error().message);
}

void Checker::checkWord(std::span<const std::string_view> words, const json::value& value, const std::string& path) {
  if (!expect(value.is_string(), "string", value, path)) return;
  const std::string_view text = value.get_string();
  if (text.empty() || std::find(words.begin(), words.end(), text) != words.end()) return;
  report(path, fmt::format("Unsupported value: {}: supported values: \"{}\"", json::serialize(value),
                           fmt::join(words, "\", \"")));
}

void Checker::checkTime(const json::value& value, const std::string& path) {
  if (!expect(value.is_string(), "string", value, path) || parseRfc3339(value.get_string())) return;
  refuse(path, value, fmt::format("{} in body must be of type date-time: {}", path, json::serialize(value)));
}

void Checker::checkList(const Shape& shape, const Rules& rules, const json::value& value, const std::string& path) {
  if (!expect(value.is_array(), "array", value, path)) return;
  const auto& array = value.get_array();
  for (std::size_t i = 0; i < array.size(); ++i)
    checkValue(*shape.element, elementRules(rules), array[i], fmt::format("{}[{}]", path, i));
}

void Checker::checkMap(const Shape& shape, const Rules& rules, const json::value& value, const std::string& path) {
  if (!expect(value.is_object(), "object", value, path)) return;
  for (const auto& [key, element] : value.get_object())
    checkValue(*shape.element, elementRules(rules), element, fmt::format("{}[{}]", path, std::string_view(key)));
}

void Checker::checkObject(const Shape& shape, const json::object& object, const std::string& path) {
  for (const Property& property : shape.properties) {
    if (isCommon(shape, property.name)) continue;
    const std::string at = join(path, property.name);
    if (const json::value* value = valueOf(property, object)) {
      checkValue(*property.shape, property.rules, *value, at);
    } else if (property.rules.required) {
      report(at, "Required value");
    }
  }
  if (!shape.open) checkNames(shape, object, path);
}

void Checker::checkNames(const Shape& shape, const json::object& object, const std::string& path) {
  for (const auto& member : object) {
    const std::string_view name = member.key();
    const bool known = std::any_of(shape.properties.begin(), shape.properties.end(), [&](const Property& property) {
      return name == property.name || (!property.rules.alias.empty() && name == property.rules.alias);
    });
    if (known || isCommon(shape, name)) continue;
    const bool kept = std::find(shape.kept.begin(), shape.kept.end(), name) != shape.kept.end();
    (kept ? findings_.unusedFields : findings_.unknownFields).push_back(join(path, name));
  }
}

}  // namespace

Findings checkObject(const Shape& shape, const json::object& object, const std::string& path) {
  Checker checker;
  checker.checkObject(shape, object, path);
  return checker.take();
}

Findings checkValue(const Shape& shape, const json::value& value, const std::string& path) {
  Checker checker;
  checker.checkValue(shape, {}, value, path);
  return checker.take();
}

Result<> asResult(Findings findings) {
  if (findings.problems.empty()) return {};
  std::string message;
  for (const auto& [path, problem] : findings.problems)
    message += fmt::format("{}{}: {}", message.empty() ? "" : ", ", path, problem);
  return fail(Error{Code::Invalid, std::move(message), std::move(findings.problems)});
}

}  // namespace godwit::schema
