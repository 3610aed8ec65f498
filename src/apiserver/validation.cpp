#include "apiserver/validation.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "apiserver/metadata.hpp"
#include "apiserver/status.hpp"

namespace godwit::apiserver {
namespace {

using object::Document;

// Fields that this change brings: what was there before is not held against the caller again.
std::vector<std::string> brought(std::vector<std::string> now, const std::vector<std::string>& before) {
  std::erase_if(
      now, [&](const std::string& field) { return std::find(before.begin(), before.end(), field) != before.end(); });
  return now;
}

std::vector<std::string> unknownFieldWords(const std::vector<std::string>& fields) {
  std::vector<std::string> words;
  for (const std::string& field : fields) words.push_back(fmt::format("unknown field \"{}\"", field));
  return words;
}

Error strictDecodingError(const schema::Kind& kind, const std::vector<std::string>& words) {
  return badRequest(fmt::format("{0} in version \"{1}\" cannot be handled as a {0}: strict decoding error: {2}",
                                kind.name, kind.version, fmt::join(words, ", ")));
}

// The warnings for fields that nobody knows, or that nothing acts on.
Result<std::vector<std::string>> judgeFields(const Resource& resource, const Document* before,
                                             const schema::Findings& findings, FieldValidation unknownFields) {
  if (findings.unknownFields.empty() && findings.unusedFields.empty()) return std::vector<std::string>();
  const schema::Findings earlier = before ? resource.definition.check(*before) : schema::Findings{};
  std::vector<std::string> warnings = unknownFieldWords(brought(findings.unknownFields, earlier.unknownFields));
  if (unknownFields == FieldValidation::Strict && !warnings.empty())
    return fail(strictDecodingError(resource.kind(), warnings));
  for (const std::string& field : brought(findings.unusedFields, earlier.unusedFields))
    warnings.push_back(fmt::format("{} is kept, but nothing here acts on it", field));
  return warnings;
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
  const schema::Findings findings = resource.definition.check(after);
  std::vector<std::string> warnings;
  if (unknownFields != FieldValidation::Ignore) warnings = TRY(judgeFields(resource, before, findings, unknownFields));

  std::vector<FieldProblem> problems = checkMetadata(resource.kind(), after);
  problems.insert(problems.end(), findings.problems.begin(), findings.problems.end());
  if (before != nullptr)
    for (auto more : {checkFinalizers(*before, after), resource.definition.checkUpdate(*before, after)})
      problems.insert(problems.end(), more.begin(), more.end());
  if (!problems.empty()) return fail(invalid(std::move(problems)));
  return warnings;
}

}  // namespace godwit::apiserver
