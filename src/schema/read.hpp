#pragma once

#include <string>

#include "schema/codec.hpp"

namespace godwit::schema {

// What is wrong with the object, in the words of Kubernetes; `path` says where it stands in its document.
// Of a kind, apiVersion, kind and metadata are not looked at.
Findings checkObject(const Shape& shape, const json::object& object, const std::string& path = {});

// The same for any value.
Findings checkValue(const Shape& shape, const json::value& value, const std::string& path = {});

// Code::Invalid with the problems, unless there are none.
Result<> asResult(Findings findings);

template <class T>
Findings check(const json::object& from, const std::string& path = {}) {
  return checkObject(shapeFor<T>(), from, path);
}

template <class T>
Findings check(const json::value& from, const std::string& path = {}) {
  return checkValue(shapeFor<T>(), from, path);
}

// For documents that were checked when they came: what is absent or of the wrong type
// keeps the member's initial value.
template <class T>
T view(const json::object& from) {
  T read{};
  readObject(shapeFor<T>(), from, &read);
  return read;
}

template <class T>
T view(const json::value& from) {
  const json::object* const object = from.if_object();
  return object ? view<T>(*object) : T{};
}

// For documents nobody has checked. Unknown fields are no error.
template <class T, class Json>
Result<T> parse(const Json& from) {
  TRY(asResult(check<T>(from)));
  return view<T>(from);
}

}  // namespace godwit::schema
