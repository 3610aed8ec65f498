#include "schema/openapi.hpp"

#include <limits>

namespace godwit::schema {
namespace {

constexpr std::string_view kAnyFields = "x-kubernetes-preserve-unknown-fields";

// Immutability compares with the value before, which Kubernetes cannot find for an element of a list.
enum class Place { Alone, InList };

json::object describe(const Shape& shape, const Rules& rules, const void* initial, Place place);

json::object integer(const Shape& shape, const Rules& rules) {
  json::object schema = {{"type", "integer"}};
  schema["format"] = shape.highest == std::numeric_limits<std::int64_t>::max() ? "int64" : "int32";
  if (rules.min != Rules{}.min) schema["minimum"] = rules.min;
  if (rules.max != Rules{}.max) schema["maximum"] = rules.max;
  return schema;
}

json::object word(std::span<const std::string_view> words) {
  return {{"type", "string"}, {"enum", json::array(words.begin(), words.end())}};
}

json::object text(const Rules& rules) {
  if (rules.quantity) {
    return {{"anyOf", {{{"type", "integer"}}, {{"type", "string"}}}}, {"x-kubernetes-int-or-string", true}};
  }
  if (!rules.words.empty()) return word(rules.words);
  json::object schema = {{"type", "string"}};
  if (rules.required) schema["minLength"] = 1;
  return schema;
}

json::object property(const Property& property, const void* initialObject, Place place) {
  // A structural schema knows no type that is an object or a list; what is wrong in it the server itself finds.
  json::object schema = property.rules.listOfOne
                            ? json::object{{kAnyFields, true}}
                            : describe(*property.shape, property.rules, property.of(initialObject), place);
  schema["description"] = property.doc;
  if (auto initial = defaultOf(property, initialObject)) schema["default"] = std::move(*initial);
  const bool typed = bare(*property.shape).form != Form::Free && !property.rules.listOfOne;
  if (property.rules.immutable && place == Place::Alone && typed)
    schema["x-kubernetes-validations"] = {{{"rule", "self == oldSelf"}, {"message", "field is immutable"}}};
  return schema;
}

// What every kind has beside what it declares.
json::object commonProperties() {
  return {
      {"apiVersion", {{"type", "string"}, {"description", "Group and version of the kind."}}},
      {"kind", {{"type", "string"}, {"description", "Name of the kind."}}},
      {"metadata", {{"type", "object"}}},
  };
}

json::object objectOf(const Shape& shape, const void* initial, Place place) {
  json::object properties = shape.kind ? commonProperties() : json::object();
  json::array required;
  for (const Property& declared : shape.properties) {
    if (isCommon(shape, declared.name)) continue;
    properties[declared.name] = property(declared, initial, place);
    if (!declared.rules.alias.empty()) {
      properties[declared.rules.alias] = property(declared, initial, place);
      properties[declared.rules.alias].as_object().erase("default");
    }
    if (declared.rules.required && declared.rules.alias.empty()) required.emplace_back(declared.name);
  }
  for (const std::string_view name : shape.kept)
    properties[name] = {{kAnyFields, true}, {"description", "Kept as it is; nothing here acts on it."}};
  json::object schema = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  if (shape.open) schema[kAnyFields] = true;
  return schema;
}

json::object describe(const Shape& shape, const Rules& rules, const void* initial, Place place) {
  const auto element = [&](Place where) {
    return describe(*shape.element, elementRules(rules), shape.element->initial(), where);
  };
  switch (shape.form) {
    case Form::Boolean:
      return {{"type", "boolean"}};
    case Form::Integer:
      return integer(shape, rules);
    case Form::Text:
      return text(rules);
    case Form::Word:
      return word(shape.words);
    case Form::Time:
      return {{"type", "string"}, {"format", "date-time"}};
    case Form::Free:
      return {{kAnyFields, true}};
    case Form::FreeObject:
      return {{"type", "object"}, {kAnyFields, true}};
    case Form::Optional:
      return describe(*shape.element, rules, shape.element->initial(), place);
    case Form::List:
      return {{"type", "array"}, {"items", element(Place::InList)}};
    case Form::Map:
      return {{"type", "object"}, {"additionalProperties", element(place)}};
    case Form::Object:
      return objectOf(shape, initial, place);
  }
  __builtin_unreachable();
}

}  // namespace

json::object openApi(const Shape& shape) { return describe(shape, {}, shape.initial(), Place::Alone); }

}  // namespace godwit::schema
