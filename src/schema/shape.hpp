#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "object/document.hpp"
#include "schema/schema.hpp"

// A declared type with its C++ type erased. Everything derived from a declaration walks
// shapes, so that it is compiled once instead of once per type.
namespace godwit::schema {

enum class Form { Boolean, Integer, Text, Word, Time, Free, FreeObject, Optional, List, Map, Object };

struct Property;

// The pointers to void stand for the C++ type that the shape was made of.
struct Shape {
  Form form = Form::Free;
  const Shape* element = nullptr;                // of Optional, List and Map
  std::span<const std::string_view> words = {};  // of Word; "" is not among them
  std::int64_t lowest = 0;                       // of Integer, as is
  std::int64_t highest = 0;
  std::span<const Property> properties = {};  // of Object, as are
  bool open = false;
  std::span<const std::string_view> kept = {};  // names of fields that are known and have no property
  const Kind* kind = nullptr;                   // null unless it is a kind

  // False, and nothing is read, when the value is of another form.
  bool (*read)(const json::value& from, void* into, const Rules& rules) = nullptr;
  // Members of objects that equal those of `initial` are left out.
  json::value (*write)(const void* from, const void* initial, const Rules& rules) = nullptr;
  bool (*equal)(const void* left, const void* right) = nullptr;
  const void* (*initial)() = nullptr;
};

struct Property {
  std::string_view name;
  std::string_view doc;
  Rules rules;
  const Shape* shape = nullptr;
  void* (*in)(void* object) = nullptr;

  const void* of(const void* object) const { return in(const_cast<void*>(object)); }
};

// The shape behind any std::optional.
const Shape& bare(const Shape& shape);

// Whether the API server looks after this member of the shape for all kinds alike.
bool isCommon(const Shape& shape, std::string_view member);

// The value of the property under either of its names, and out of its list of one. Null when it is absent, or JSON's
// null where that says the same.
const json::value* valueOf(const Property& property, const json::object& object);
json::value* valueOf(const Property& property, json::object& object);

// What the property of an object starts with, if its type declares anything beyond empty, 0 or false.
std::optional<json::value> defaultOf(const Property& property, const void* initialObject);

// What holds for the elements of a list or map with these rules.
Rules elementRules(const Rules& rules);

// The number, if it is whole and fits.
std::optional<std::int64_t> integerIn(const json::value& value);

void readObject(const Shape& shape, const json::object& from, void* into);
json::object writeObject(const Shape& shape, const void* from, const void* initial);

}  // namespace godwit::schema
