#include "apiserver/metadata.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/time_format.hpp"

namespace godwit::apiserver {
namespace {

using object::Document;

constexpr std::size_t kLongestName = 253;
constexpr std::string_view kSubdomainRule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

// What an update may not touch. The generation follows from the content.
constexpr std::array<std::string_view, 8> kServerOwned = {"name",
                                                          "namespace",
                                                          "uid",
                                                          "generation",
                                                          "creationTimestamp",
                                                          "deletionTimestamp",
                                                          "deletionGracePeriodSeconds",
                                                          "resourceVersion"};

bool isLowerAlphanumeric(char letter) { return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9'); }

bool isSubdomain(std::string_view name) {
  char previous = '.';
  for (const char letter : name) {
    const bool joint = letter == '.' || letter == '-';
    if (!joint && !isLowerAlphanumeric(letter)) return false;
    if (joint && previous == '.') return false;
    if (letter == '.' && previous == '-') return false;
    previous = letter;
  }
  return isLowerAlphanumeric(previous);
}

// Roles and their bindings may be called anything that can stand in a path ("system:node").
bool isPathSegment(std::string_view name) {
  return name != "." && name != ".." && name.find_first_of("/%") == std::string_view::npos;
}

std::string nameProblem(const schema::Kind& kind, std::string_view name) {
  if (name.size() > kLongestName)
    return fmt::format("Invalid value: \"{}\": must be no more than {} characters", name, kLongestName);
  if (kind.group == "rbac.authorization.k8s.io")
    return isPathSegment(name) ? "" : fmt::format("Invalid value: \"{}\": may not contain '/' or '%'", name);
  return isSubdomain(name) ? "" : fmt::format("Invalid value: \"{}\": {}", name, kSubdomainRule);
}

void checkTextMap(const Document& document, std::string_view member, std::vector<FieldProblem>& problems) {
  const json::value* map = object::find(document, {"metadata", member});
  if (map == nullptr || map->is_null()) return;
  const std::string path = fmt::format(".metadata.{}", member);
  if (!map->is_object()) {
    problems.push_back({path, "Invalid value: must be of type object"});
    return;
  }
  for (const auto& [key, value] : map->get_object())
    if (!value.is_string())
      problems.push_back({fmt::format("{}.{}", path, std::string_view(key)), "Invalid value: must be of type string"});
}

void checkArray(const Document& document, std::string_view member, std::vector<FieldProblem>& problems) {
  const json::value* array = object::find(document, {"metadata", member});
  if (array != nullptr && !array->is_null() && !array->is_array())
    problems.push_back({fmt::format(".metadata.{}", member), "Invalid value: must be of type array"});
}

std::int64_t numberAt(const Document& document, std::string_view member, std::int64_t otherwise) {
  const json::value* found = object::find(document, {"metadata", member});
  return found != nullptr && found->is_int64() ? found->get_int64() : otherwise;
}

json::array finalizersOf(const Document& document) {
  const json::value* found = object::find(document, {"metadata", "finalizers"});
  return found != nullptr && found->is_array() ? found->get_array() : json::array();
}

// What the generation counts the changes of.
Document contentOf(const schema::Kind& kind, const Document& document) {
  Document content = document;
  content.erase("metadata");
  if (kind.hasStatus) content.erase("status");
  return content;
}

}  // namespace

json::object& metadataOf(Document& document) {
  json::value& metadata = document["metadata"];
  return metadata.is_null() ? metadata.emplace_object() : metadata.as_object();
}

void initialise(Document& document, const object::Key& where, Timestamp now, Random& random) {
  json::object& metadata = metadataOf(document);
  for (const std::string_view given :
       {"resourceVersion", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink", "managedFields", "namespace"})
    metadata.erase(given);
  metadata["name"] = where.name;
  if (!where.nameSpace.empty()) metadata["namespace"] = where.nameSpace;
  metadata["uid"] = uuid(random);
  metadata["creationTimestamp"] = toRfc3339(now);
  metadata.erase("generation");
  if (document.contains("spec")) metadataOf(document)["generation"] = 1;
}

std::vector<FieldProblem> checkMetadata(const schema::Kind& kind, const Document& document) {
  std::vector<FieldProblem> problems;
  const std::string name = object::textAt(document, {"metadata", "name"});
  if (name.empty())
    problems.push_back({".metadata.name", "Required value: name or generateName is required"});
  else if (const std::string problem = nameProblem(kind, name); !problem.empty())
    problems.push_back({".metadata.name", problem});
  checkTextMap(document, "labels", problems);
  checkTextMap(document, "annotations", problems);
  checkArray(document, "finalizers", problems);
  checkArray(document, "ownerReferences", problems);
  return problems;
}

void keepIdentity(const Document& current, Document& proposed) {
  const json::object& was = current.at("metadata").as_object();
  json::object& metadata = metadataOf(proposed);
  for (const std::string_view name : kServerOwned) {
    if (const json::value* value = was.if_contains(name))
      metadata[name] = *value;
    else
      metadata.erase(name);
  }
  metadata.erase("managedFields");
  metadata.erase("selfLink");
}

void bumpGeneration(const schema::Kind& kind, const Document& current, Document& proposed) {
  if (!proposed.contains("spec") || contentOf(kind, current) == contentOf(kind, proposed)) return;
  metadataOf(proposed)["generation"] = numberAt(current, "generation", 0) + 1;
}

std::vector<FieldProblem> checkFinalizers(const Document& current, const Document& proposed) {
  if (!isBeingDeleted(current)) return {};
  const json::array before = finalizersOf(current);
  for (const json::value& finalizer : finalizersOf(proposed))
    if (std::find(before.begin(), before.end(), finalizer) == before.end())
      return {{".metadata.finalizers",
               fmt::format("Forbidden: no new finalizers can be added if the object is being deleted, found {}",
                           json::serialize(finalizer))}};
  return {};
}

bool isBeingDeleted(const Document& document) {
  return !object::textAt(document, {"metadata", "deletionTimestamp"}).empty();
}

bool hasFinalizers(const Document& document) { return !finalizersOf(document).empty(); }

bool mayGo(const Document& document) {
  return isBeingDeleted(document) && !hasFinalizers(document) &&
         numberAt(document, "deletionGracePeriodSeconds", 0) == 0;
}

bool markForDeletion(Document& document, Timestamp now, std::int64_t graceSeconds) {
  if (isBeingDeleted(document) && numberAt(document, "deletionGracePeriodSeconds", 0) <= graceSeconds) return false;
  const bool first = !isBeingDeleted(document);
  json::object& metadata = metadataOf(document);
  metadata["deletionTimestamp"] = toRfc3339(now + std::chrono::seconds(graceSeconds));
  metadata["deletionGracePeriodSeconds"] = graceSeconds;
  if (first && metadata.contains("generation")) metadata["generation"] = numberAt(document, "generation", 0) + 1;
  return true;
}

}  // namespace godwit::apiserver
