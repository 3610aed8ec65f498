#include <algorithm>

#include <fmt/format.h>

#include "object/selector.hpp"

namespace godwit::object {
namespace {

// Up to the next comma that no backslash protects.
std::string_view takeTerm(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] != ',') end += text[end] == '\\' ? 2 : 1;
  end = std::min(end, text.size());
  const auto term = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return term;
}

// Backslashes protect themselves, commas and equals signs; nothing else.
Result<std::string> unescapeValue(std::string_view value) {
  std::string plain;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '=') return fail(Code::Invalid, fmt::format("'=' must be escaped in field value '{}'", value));
    if (value[i] == '\\' && (++i == value.size() || std::string_view("\\,=").find(value[i]) == std::string_view::npos))
      return fail(Code::Invalid, fmt::format("bad escape in field value '{}'", value));
    plain += value[i];
  }
  return plain;
}

// Fields that are absent count as empty, numbers and booleans as they are written.
std::string textUnder(const Document& document, std::string_view path) {
  const json::object* within = &document;
  for (;;) {
    const auto dot = path.find('.');
    const json::value* found = within->if_contains(path.substr(0, dot));
    if (!found || found->is_null()) return {};
    if (dot == path.npos) return found->is_string() ? std::string(found->get_string()) : json::serialize(*found);
    within = found->if_object();
    if (!within) return {};
    path.remove_prefix(dot + 1);
  }
}

}  // namespace

Result<FieldSelector> FieldSelector::parse(std::string_view text) {
  FieldSelector selector;
  while (!text.empty()) {
    const auto term = takeTerm(text);
    if (term.empty()) continue;
    const auto equals = term.find('=');
    if (equals == term.npos || equals == 0)
      return fail(Code::Invalid, fmt::format("invalid field selector: '{}'; can't understand it", term));
    const bool negated = term[equals - 1] == '!';
    const auto path = term.substr(0, negated ? equals - 1 : equals);
    if (path.empty()) return fail(Code::Invalid, fmt::format("invalid field selector: '{}' has no field", term));
    auto value = term.substr(equals + 1);
    if (!negated && value.starts_with('=')) value.remove_prefix(1);
    std::string plain = TRY(unescapeValue(value));
    selector.terms_.push_back({std::string(path), std::move(plain), !negated});
  }
  return selector;
}

bool FieldSelector::matches(const Document& document) const {
  return std::all_of(terms_.begin(), terms_.end(),
                     [&](const Term& term) { return (textUnder(document, term.path) == term.value) == term.equal; });
}

std::vector<std::string> FieldSelector::paths() const {
  std::vector<std::string> paths;
  for (const Term& term : terms_) paths.push_back(term.path);
  return paths;
}

}  // namespace godwit::object
