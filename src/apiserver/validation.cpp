#include "apiserver/validation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "apiserver/metadata.hpp"
#include "apiserver/status.hpp"

namespace godwit::apiserver {
namespace {

using object::Document;

std::vector<std::string> unknownFieldWords(const Resource& resource, const Document* before,
                                           std::vector<std::string> unknown) {
  if (before != nullptr && !unknown.empty()) {
    const std::vector<std::string> known = resource.definition.check(*before).unknownFields;
    std::erase_if(
        unknown, [&](const std::string& field) { return std::find(known.begin(), known.end(), field) != known.end(); });
  }
  for (std::string& field : unknown)
    field = fmt::format("unknown field \"{}\"", std::string_view(field).substr(field.starts_with('.') ? 1 : 0));
  return unknown;
}

Error strictDecodingError(const schema::Kind& kind, const std::vector<std::string>& words) {
  return badRequest(fmt::format("{0} in version \"{1}\" cannot be handled as a {0}: strict decoding error: {2}",
                                kind.name, kind.version, fmt::join(words, ", ")));
}

}  // namespace

Result<FieldValidation> parseFieldValidation(std::string_view word) {
  if (word.empty() || word == "Warn") return FieldValidation::Warn;
  if (word == "Strict") return FieldValidation::Strict;
  if (word == "Ignore") return FieldValidation::Ignore;
  return fail(invalid({{"fieldValidation", fmt::format("Unsupported value: \"{}\": supported values: \"Ignore\", "
                                                       "\"Strict\", \"Warn\"",
                                                       word)}}));
}

Result<> ensureTyped(const Resource& resource, Document& document) {
  const schema::Kind& kind = resource.kind();
  const auto typeProblem = [&](std::string_view member) {
    return fail(badRequest(fmt::format("{0} in version \"{1}\" cannot be handled as a {0}: {2} must be an object",
                                       kind.name, kind.version, member)));
  };
  if (!document.contains("apiVersion")) document["apiVersion"] = resource.apiVersion;
  if (!document.contains("kind")) document["kind"] = kind.name;
  const std::string apiVersion = object::textAt(document, {"apiVersion"});
  if (apiVersion != resource.apiVersion)
    return fail(badRequest(fmt::format("the API version in the data ({}) does not match the expected API version ({})",
                                       apiVersion, resource.apiVersion)));
  const std::string name = object::textAt(document, {"kind"});
  if (name != kind.name)
    return fail(
        badRequest(fmt::format("{} in version \"{}\" cannot be handled as a {}", name, kind.version, kind.name)));
  const json::value* metadata = document.if_contains("metadata");
  if (metadata != nullptr && !metadata->is_null() && !metadata->is_object()) return typeProblem("metadata");
  return {};
}

Result<std::vector<std::string>> validate(const Resource& resource, const Document* before, const Document& after,
                                          FieldValidation unknownFields) {
  schema::Findings findings = resource.definition.check(after);
  std::vector<std::string> words;
  if (unknownFields != FieldValidation::Ignore)
    words = unknownFieldWords(resource, before, std::move(findings.unknownFields));
  if (unknownFields == FieldValidation::Strict && !words.empty())
    return fail(strictDecodingError(resource.kind(), words));

  std::vector<FieldProblem> problems = checkMetadata(resource.kind(), after);
  problems.insert(problems.end(), findings.problems.begin(), findings.problems.end());
  if (before != nullptr)
    for (auto more : {checkFinalizers(*before, after), resource.definition.checkUpdate(*before, after)})
      problems.insert(problems.end(), more.begin(), more.end());
  if (!problems.empty()) return fail(invalid(std::move(problems)));
  return words;
}

}  // namespace godwit::apiserver
