#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "object/document.hpp"

// A kind as the machinery sees it: no C++ type, only what can be asked of it.
namespace godwit::schema {

enum class Scope { Namespaced, Cluster };

// A printer column; the path is kubectl's simple JSONPath (".status.phase"), the type "string", "integer", "date" ...
struct Column {
  std::string_view name;
  std::string_view path;
  std::string_view type = "string";
  int priority = 0;            // above 0: only with -o wide
  bool tellsDeletion = false;  // it reads Terminating once the object is to go
};

struct Kind {
  std::string_view group;  // empty for the core group
  std::string_view version;
  std::string_view name;
  std::string_view plural;
  std::string_view singular;
  std::span<const std::string_view> shortNames = {};
  Scope scope = Scope::Namespaced;
  bool hasStatus = true;  // a status subresource; else status is written with the object
  std::span<const Column> columns = {};
  std::span<const std::string_view> fieldSelectors = {};  // beside metadata.name and metadata.namespace
};

// "kubevirt.io/v1", or "v1" for the core group.
std::string apiVersion(const Kind& kind);

struct Findings {
  std::vector<FieldProblem> problems;      // wrong: refuse
  std::vector<std::string> unknownFields;  // "spec.bogus": refused under strict validation, else a warning
  std::vector<std::string> unusedFields;   // known and kept, and nothing acts on them: a warning
};

struct Definition {
  Kind kind;
  // Checks everything but apiVersion, kind and metadata, which the API server checks for all kinds alike.
  std::function<Findings(const object::Document&)> check;
  // Fields that may not change.
  std::function<std::vector<FieldProblem>(const object::Document& before, const object::Document& after)> checkUpdate;
  // Fills in absent fields that have a declared default.
  std::function<void(object::Document&)> applyDefaults;
  // The schema of the whole object as OpenAPI v3 (JSON).
  std::function<json::object()> openApi;
};

// The CustomResourceDefinition that gives a real Kubernetes this kind.
json::object crd(const Definition& definition);

}  // namespace godwit::schema
