#include "schema/codec.hpp"

#include "base/time_format.hpp"

namespace godwit::schema {

bool Codec<bool>::read(const json::value& from, bool& into, const Rules&) {
  const bool* value = from.if_bool();
  if (value) into = *value;
  return value != nullptr;
}

bool Codec<std::int64_t>::read(const json::value& from, std::int64_t& into, const Rules&) {
  const auto value = integerIn(from);
  if (value) into = *value;
  return value.has_value();
}

bool Codec<int>::read(const json::value& from, int& into, const Rules&) {
  const auto value = integerIn(from);
  if (!value || *value < Limits::min() || *value > Limits::max()) return false;
  into = static_cast<int>(*value);
  return true;
}

bool Codec<std::string>::read(const json::value& from, std::string& into, const Rules& rules) {
  if (const auto* text = from.if_string()) {
    into = std::string_view(*text);
    return true;
  }
  if (!rules.quantity || !from.is_number()) return false;
  into = json::serialize(from);
  return true;
}

bool Codec<Timestamp>::read(const json::value& from, Timestamp& into, const Rules&) {
  const auto* text = from.if_string();
  if (!text) return false;
  const auto time = parseRfc3339(*text);
  if (time) into = *time;
  return time.has_value();
}

json::value Codec<Timestamp>::write(Timestamp from, Timestamp, const Rules& rules) {
  return json::value(rules.microseconds ? toRfc3339Micro(from) : toRfc3339(from));
}

bool Codec<json::value>::read(const json::value& from, json::value& into, const Rules&) {
  into = from;
  return true;
}

bool Codec<json::object>::read(const json::value& from, json::object& into, const Rules&) {
  const auto* object = from.if_object();
  if (object) into = *object;
  return object != nullptr;
}

}  // namespace godwit::schema
