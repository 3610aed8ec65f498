#include "kinds/secret.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/base64.hpp"

namespace godwit::kinds {
namespace {

constexpr std::string_view kText = "stringData";
constexpr std::string_view kBytes = "data";

bool isText(const json::value& value) {
  return value.is_object() && std::all_of(value.get_object().begin(), value.get_object().end(),
                                          [](const auto& entry) { return entry.value().is_string(); });
}

// What is no text is left for the check to refuse.
void fold(object::Document& secret) {
  const json::value* text = secret.if_contains(kText);
  if (!text || !(text->is_null() || isText(*text))) return;
  if (text->is_object() && !text->get_object().empty()) {
    json::value& bytes = secret[kBytes];
    if (bytes.is_null()) bytes.emplace_object();
    if (!bytes.is_object()) return;
    for (const auto& entry : secret.at(kText).get_object())
      bytes.get_object()[entry.key()] = encodeBase64(entry.value().get_string());
  }
  secret.erase(kText);
}

// Values are not named: whoever reads the refusal may not be the one to know them.
void check(const object::Document& secret, std::vector<FieldProblem>& problems) {
  if (secret.contains(kText)) problems.push_back({std::string(kText), "Invalid value: must be a map of texts"});
  const json::value* bytes = secret.if_contains(kBytes);
  if (!bytes || !bytes->is_object()) return;
  for (const auto& entry : bytes->get_object())
    if (entry.value().is_string() && !decodeBase64(entry.value().get_string()))
      problems.push_back({fmt::format("{}.{}", kBytes, std::string_view(entry.key())),
                          "Invalid value: must be base64; stringData takes text"});
}

}  // namespace

schema::Definition takingText(schema::Definition secret) {
  secret.applyDefaults = [inner = std::move(secret.applyDefaults)](object::Document& document) {
    inner(document);
    fold(document);
  };
  secret.check = [inner = std::move(secret.check)](const object::Document& document) {
    schema::Findings findings = inner(document);
    check(document, findings.problems);
    return findings;
  };
  return secret;
}

}  // namespace godwit::kinds
