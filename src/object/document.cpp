#include "object/document.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace godwit::object {
namespace {

// The schemas in CustomResourceDefinitions nest deepest, about twice as deep as the objects they describe.
constexpr std::size_t kDeepest = 128;
constexpr std::size_t kLeastMemory = 1024;

}  // namespace

std::string show(const Key& key) { return key.nameSpace.empty() ? key.name : key.nameSpace + "/" + key.name; }

Key keyOf(const Document& document) {
  return {textAt(document, {"metadata", "namespace"}), textAt(document, {"metadata", "name"})};
}

const json::value* find(const Document& document, std::initializer_list<std::string_view> path) {
  const json::object* within = &document;
  const json::value* found = nullptr;
  for (const std::string_view name : path) {
    found = within ? within->if_contains(name) : nullptr;
    if (!found) return nullptr;
    within = found->if_object();
  }
  return found;
}

std::string textAt(const Document& document, std::initializer_list<std::string_view> path) {
  const json::value* found = find(document, path);
  const json::string* text = found ? found->if_string() : nullptr;
  return text ? std::string(*text) : std::string();
}

Result<Document> parseDocument(std::string_view text) {
  json::parse_options options;
  options.max_depth = kDeepest;
  json::error_code error;
  // All of it lies in one piece of memory, also what is moved out of it, so one thread may change it at a time.
  // Hundreds of small pieces would take most of the time that reading takes, and the longer the more of others there
  // are.
  const auto memory = json::make_shared_resource<json::monotonic_resource>(std::max(kLeastMemory, 2 * text.size()));
  json::value parsed = json::parse(text, error, memory, options);
  if (error) return fail(Code::Invalid, fmt::format("cannot read JSON: {}", error.message()));
  if (!parsed.is_object()) return fail(Code::Invalid, "cannot read JSON: not an object");
  return std::move(parsed.get_object());
}

}  // namespace godwit::object
