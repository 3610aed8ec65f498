#pragma once

#include <compare>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "base/result.hpp"

namespace godwit {

namespace json = boost::json;

namespace object {

// An object as it came: every field it has is kept, known or not.
using Document = json::object;

// Where an object stands within its kind; the namespace is empty for cluster-wide kinds.
struct Key {
  std::string nameSpace;
  std::string name;

  auto operator<=>(const Key&) const = default;
};

// "ns/name", or "name" without a namespace: how people write it, and logs show it.
std::string show(const Key& key);

Key keyOf(const Document& document);

// The value at a path of member names, or null. Does not look into arrays.
const json::value* find(const Document& document, std::initializer_list<std::string_view> path);
// The string there, or nothing if there is none (or it is not a string).
std::string textAt(const Document& document, std::initializer_list<std::string_view> path);

Result<Document> parseDocument(std::string_view text);

}  // namespace object
}  // namespace godwit
