#include "apiserver/cell_path.hpp"

#include <charconv>
#include <string>

namespace godwit::apiserver {
namespace {

// Takes ".name" off the path; a backslash keeps the dot behind it in the name.
std::string takeName(std::string_view& path) {
  std::string name;
  path.remove_prefix(1);
  while (!path.empty() && path[0] != '.' && path[0] != '[') {
    if (path[0] == '\\' && path.size() > 1) path.remove_prefix(1);
    name += path[0];
    path.remove_prefix(1);
  }
  return name;
}

std::string_view takeBracket(std::string_view& path) {
  const std::size_t end = std::min(path.find(']'), path.size() - 1);
  const std::string_view inside = path.substr(1, end - 1);
  path.remove_prefix(end + 1);
  return inside;
}

std::string_view unquoted(std::string_view text) {
  return text.size() >= 2 ? text.substr(1, text.size() - 2) : std::string_view();
}

const json::value* elementAt(const json::array& array, std::string_view text) {
  std::size_t index = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), index);
  return read.ec == std::errc() && index < array.size() ? &array[index] : nullptr;
}

// The first element for which a filter like ?(@.type=="Ready") holds.
const json::value* firstWhere(const json::array& array, std::string_view filter) {
  const std::size_t equals = filter.find("==");
  if (!filter.starts_with("?(@.") || !filter.ends_with(")") || equals == std::string_view::npos) return nullptr;
  const std::string_view name = filter.substr(4, equals - 4);
  const std::string_view value = unquoted(filter.substr(equals + 2, filter.size() - equals - 3));
  for (const json::value& element : array) {
    const json::object* object = element.if_object();
    const json::value* member = object != nullptr ? object->if_contains(name) : nullptr;
    if (member != nullptr && member->is_string() && member->get_string() == value) return &element;
  }
  return nullptr;
}

}  // namespace

const json::value* cellAt(const object::Document& document, std::string_view path) {
  const json::value* at = nullptr;
  const json::object* inside = &document;
  while (!path.empty()) {
    if (path[0] == '.') {
      at = inside != nullptr ? inside->if_contains(takeName(path)) : nullptr;
    } else if (path[0] == '[' && at != nullptr && at->is_array()) {
      const std::string_view choice = takeBracket(path);
      at = choice.starts_with('?') ? firstWhere(at->get_array(), choice) : elementAt(at->get_array(), choice);
    } else {
      return nullptr;
    }
    if (at == nullptr) return nullptr;
    inside = at->if_object();
  }
  return at;
}

}  // namespace godwit::apiserver
