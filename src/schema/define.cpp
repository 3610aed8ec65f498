#include "schema/define.hpp"

#include <fmt/format.h>

#include "schema/openapi.hpp"
#include "schema/read.hpp"

namespace godwit::schema {
namespace {

using Problems = std::vector<FieldProblem>;

bool same(const json::value* before, const json::value* after) {
  return before && after ? *before == *after : before == after;
}

void compareObjects(const Shape& shape, const json::object& before, const json::object& after, const std::string& path,
                    Problems& problems);

void compareValues(const Shape& shape, const json::value& before, const json::value& after, const std::string& path,
                   Problems& problems) {
  const auto* left = before.if_object();
  const auto* right = after.if_object();
  if (!left || !right) return;
  if (shape.form == Form::Object) compareObjects(shape, *left, *right, path, problems);
  if (shape.form != Form::Map) return;
  for (const auto& [key, value] : *left)
    if (const auto* other = right->if_contains(key))
      compareValues(bare(*shape.element), value, *other, fmt::format("{}[{}]", path, std::string_view(key)), problems);
}

void compareObjects(const Shape& shape, const json::object& before, const json::object& after, const std::string& path,
                    Problems& problems) {
  for (const Property& property : shape.properties) {
    if (isCommon(shape, property.name)) continue;
    const std::string at = path.empty() ? std::string(property.name) : fmt::format("{}.{}", path, property.name);
    const json::value* left = valueOf(property, before);
    const json::value* right = valueOf(property, after);
    if (property.rules.immutable) {
      const std::string shown = right ? json::serialize(*right) : "null";
      if (!same(left, right)) problems.push_back({at, fmt::format("Invalid value: {}: field is immutable", shown)});
    } else if (left && right) {
      compareValues(bare(*property.shape), *left, *right, at, problems);
    }
  }
}

void defaultObject(const Shape& shape, json::object& object, const void* initial);

void defaultValue(const Shape& shape, json::value& value, const void* initial) {
  switch (shape.form) {
    case Form::Boolean:
    case Form::Integer:
    case Form::Text:
    case Form::Word:
    case Form::Time:
    case Form::Free:
    case Form::FreeObject:
      return;
    case Form::Optional:
      return defaultValue(*shape.element, value, shape.element->initial());
    case Form::List:
      if (auto* list = value.if_array())
        for (json::value& element : *list) defaultValue(*shape.element, element, shape.element->initial());
      return;
    case Form::Map:
      if (auto* map = value.if_object())
        for (auto& member : *map) defaultValue(*shape.element, member.value(), shape.element->initial());
      return;
    case Form::Object:
      if (auto* object = value.if_object()) defaultObject(shape, *object, initial);
      return;
  }
}

void defaultObject(const Shape& shape, json::object& object, const void* initial) {
  for (const Property& property : shape.properties) {
    if (isCommon(shape, property.name)) continue;
    if (json::value* present = valueOf(property, object)) {
      defaultValue(*property.shape, *present, property.of(initial));
    } else if (auto declared = defaultOf(property, initial)) {
      object[property.name] = std::move(*declared);
    }
  }
}

}  // namespace

std::vector<FieldProblem> checkUpdate(const Shape& shape, const json::object& before, const json::object& after) {
  Problems problems;
  compareObjects(shape, before, after, "", problems);
  return problems;
}

void applyDefaults(const Shape& shape, json::object& object) { defaultObject(shape, object, shape.initial()); }

Definition define(const Shape& shape) {
  ENSURE(shape.kind, "only kinds have definitions");
  return {
      .kind = *shape.kind,
      .check = [&shape](const object::Document& document) { return checkObject(shape, document); },
      .checkUpdate = [&shape](const object::Document& before,
                              const object::Document& after) { return checkUpdate(shape, before, after); },
      .applyDefaults = [&shape](object::Document& document) { applyDefaults(shape, document); },
      .openApi = [&shape] { return openApi(shape); },
  };
}

}  // namespace godwit::schema
