#include "schema/shape.hpp"

#include <utility>

namespace godwit::schema {
namespace {

bool isEmpty(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      return true;
    case json::kind::bool_:
      return !value.get_bool();
    case json::kind::int64:
      return value.get_int64() == 0;
    case json::kind::uint64:
      return value.get_uint64() == 0;
    case json::kind::double_:
      return value.get_double() == 0;
    case json::kind::string:
      return value.get_string().empty();
    case json::kind::array:
      return value.get_array().empty();
    case json::kind::object:
      return value.get_object().empty();
  }
  __builtin_unreachable();
}

}  // namespace

const Shape& bare(const Shape& shape) { return shape.form == Form::Optional ? bare(*shape.element) : shape; }

bool isCommon(const Shape& shape, std::string_view member) {
  return shape.kind && (member == "apiVersion" || member == "kind" || member == "metadata");
}

const json::value* valueOf(const Property& property, const json::object& object) {
  const json::value* found = object.if_contains(property.name);
  if (!found && !property.rules.alias.empty()) found = object.if_contains(property.rules.alias);
  if (found && property.rules.listOfOne && found->is_array() && found->get_array().size() == 1)
    found = &found->get_array().front();
  const bool absent = found && found->is_null() && bare(*property.shape).form != Form::Free;
  return absent ? nullptr : found;
}

json::value* valueOf(const Property& property, json::object& object) {
  return const_cast<json::value*>(valueOf(property, std::as_const(object)));
}

std::optional<json::value> defaultOf(const Property& property, const void* initialObject) {
  if (property.rules.required || property.shape->form == Form::Object) return std::nullopt;
  const void* initial = property.of(initialObject);
  json::value written = property.shape->write(initial, initial, property.rules);
  if (isEmpty(written)) return std::nullopt;
  return written;
}

Rules elementRules(const Rules& rules) {
  Rules inner = rules;
  inner.required = false;
  inner.immutable = false;
  return inner;
}

std::optional<std::int64_t> integerIn(const json::value& value) {
  if (const auto* number = value.if_int64()) return *number;
  // 2^63 is the first double that an int64 cannot hold.
  static constexpr double kBeyond = 9223372036854775808.0;
  const auto* number = value.if_double();
  if (!number || !(*number >= -kBeyond && *number < kBeyond)) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(*number);
  if (static_cast<double>(whole) != *number) return std::nullopt;
  return whole;
}

void readObject(const Shape& shape, const json::object& from, void* into) {
  for (const Property& property : shape.properties)
    if (const json::value* found = valueOf(property, from))
      property.shape->read(*found, property.in(into), property.rules);
}

json::object writeObject(const Shape& shape, const void* from, const void* initial) {
  json::object written;
  if (shape.kind) {
    written["apiVersion"] = apiVersion(*shape.kind);
    written["kind"] = shape.kind->name;
  }
  for (const Property& property : shape.properties) {
    const void* value = property.of(from);
    const void* start = property.of(initial);
    if (!property.rules.required && property.shape->equal(value, start)) continue;
    written[property.name] = property.shape->write(value, start, property.rules);
  }
  return written;
}

}  // namespace godwit::schema
