#include "apiserver/swagger.hpp"

#include <algorithm>
#include <cstdint>

namespace godwit::apiserver {
namespace {

constexpr std::string_view kAnyFields = "x-kubernetes-preserve-unknown-fields";
constexpr std::string_view kUnknownToSwagger[] = {"anyOf",    "oneOf",   "not",
                                                  "nullable", "default", "x-kubernetes-validations"};

// One protobuf message as it is being written. An absent text, number or message is not written at all.
class WireWriter {
 public:
  void text(unsigned field, std::string_view value) {
    varint(field << 3 | kLengthDelimited);
    varint(value.size());
    bytes_ += value;
  }

  void message(unsigned field, const WireWriter& inner) { text(field, inner.bytes_); }

  void boolean(unsigned field, bool value) {
    varint(field << 3 | kVarint);
    varint(value ? 1 : 0);
  }

  std::string take() && { return std::move(bytes_); }

 private:
  static constexpr unsigned kVarint = 0;
  static constexpr unsigned kLengthDelimited = 2;

  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

// A value of no certain type; it travels as YAML, and every JSON text is one.
WireWriter writeAny(const json::value& value) {
  WireWriter any;
  any.text(2, json::serialize(value));
  return any;
}

template <class Write>
WireWriter writeNamed(std::string_view name, const json::value& value, Write write) {
  WireWriter named;
  named.text(1, name);
  named.message(2, write(value));
  return named;
}

WireWriter writeSchema(const json::value& value);

WireWriter writeSchemas(const json::object& schemas) {
  WireWriter all;
  for (const auto& [name, schema] : schemas) all.message(1, writeNamed(name, schema, writeSchema));
  return all;
}

// `additionalProperties` is a schema, or says whether there may be any.
WireWriter writeAdditional(const json::value& value) {
  WireWriter additional;
  if (value.is_bool())
    additional.boolean(2, value.get_bool());
  else
    additional.message(1, writeSchema(value));
  return additional;
}

WireWriter writeList(const json::value& value) {
  WireWriter list;
  if (value.is_string()) list.text(1, value.get_string());
  if (value.is_object()) list.message(1, writeSchema(value));
  return list;
}

// Numbers of the fields are those of the published openapi.v2 messages.
void writeKeyword(WireWriter& schema, std::string_view name, const json::value& value) {
  if (name == "$ref") schema.text(1, value.as_string());
  if (name == "format") schema.text(2, value.as_string());
  if (name == "description") schema.text(4, value.as_string());
  if (name == "required")
    for (const json::value& field : value.as_array()) schema.text(19, field.as_string());
  if (name == "enum")
    for (const json::value& word : value.as_array()) schema.message(20, writeAny(word));
  if (name == "additionalProperties") schema.message(21, writeAdditional(value));
  if (name == "type") schema.message(22, writeList(value));
  if (name == "items") schema.message(23, writeList(value));
  if (name == "properties") schema.message(25, writeSchemas(value.as_object()));
  if (name.starts_with("x-")) schema.message(31, writeNamed(name, value, writeAny));
}

WireWriter writeSchema(const json::value& value) {
  WireWriter schema;
  for (const auto& [name, keyword] : value.as_object()) writeKeyword(schema, name, keyword);
  return schema;
}

WireWriter writeInfo(const json::object& info) {
  WireWriter writer;
  writer.text(1, info.at("title").as_string());
  writer.text(2, info.at("version").as_string());
  return writer;
}

json::value swaggerKeyword(std::string_view name, const json::value& value) {
  if (name == "properties") {
    json::object properties;
    for (const auto& [property, schema] : value.as_object()) properties[property] = swaggerSchema(schema.as_object());
    return properties;
  }
  if ((name == "items" || name == "additionalProperties") && value.is_object())
    return swaggerSchema(value.get_object());
  return value;
}

}  // namespace

json::object swaggerSchema(const json::object& schema) {
  const bool open = schema.contains(kAnyFields);
  json::object swagger;
  for (const auto& [name, value] : schema) {
    const bool unknown =
        std::find(std::begin(kUnknownToSwagger), std::end(kUnknownToSwagger), name) != std::end(kUnknownToSwagger);
    const bool list = name == "properties" || name == "required";
    if (!unknown && !(open && list)) swagger[name] = swaggerKeyword(name, value);
  }
  return swagger;
}

std::string swaggerProtobuf(const json::object& document) {
  WireWriter writer;
  writer.text(1, document.at("swagger").as_string());
  writer.message(2, writeInfo(document.at("info").as_object()));
  writer.message(8, {});
  writer.message(9, writeSchemas(document.at("definitions").as_object()));
  return std::move(writer).take();
}

}  // namespace godwit::apiserver
