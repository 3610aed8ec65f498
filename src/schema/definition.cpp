#include "schema/definition.hpp"

#include <fmt/format.h>

namespace godwit::schema {
namespace {

json::object namesOf(const Kind& kind) {
  json::object names = {{"kind", kind.name},
                        {"listKind", fmt::format("{}List", kind.name)},
                        {"plural", kind.plural},
                        {"singular", kind.singular}};
  json::array shortNames;
  for (const std::string_view name : kind.shortNames) shortNames.emplace_back(name);
  if (!shortNames.empty()) names["shortNames"] = std::move(shortNames);
  return names;
}

json::array columnsOf(const Kind& kind) {
  json::array columns;
  for (const Column& column : kind.columns) {
    json::object written = {{"name", column.name}, {"type", column.type}, {"jsonPath", column.path}};
    if (column.priority != 0) written["priority"] = column.priority;
    columns.push_back(std::move(written));
  }
  return columns;
}

json::array selectableFieldsOf(const Kind& kind) {
  json::array fields;
  for (const std::string_view path : kind.fieldSelectors)
    fields.push_back(json::object{{"jsonPath", fmt::format(".{}", path)}});
  return fields;
}

json::object versionOf(const Definition& definition) {
  const Kind& kind = definition.kind;
  json::object version = {{"name", kind.version},
                          {"served", true},
                          {"storage", true},
                          {"schema", {{"openAPIV3Schema", definition.openApi()}}}};
  if (kind.hasStatus) version["subresources"] = {{"status", json::object()}};
  if (auto columns = columnsOf(kind); !columns.empty()) version["additionalPrinterColumns"] = std::move(columns);
  if (auto fields = selectableFieldsOf(kind); !fields.empty()) version["selectableFields"] = std::move(fields);
  return version;
}

}  // namespace

std::string apiVersion(const Kind& kind) {
  return kind.group.empty() ? std::string(kind.version) : fmt::format("{}/{}", kind.group, kind.version);
}

json::object crd(const Definition& definition) {
  const Kind& kind = definition.kind;
  return {
      {"apiVersion", "apiextensions.k8s.io/v1"},
      {"kind", "CustomResourceDefinition"},
      {"metadata", {{"name", fmt::format("{}.{}", kind.plural, kind.group)}}},
      {"spec",
       {{"group", kind.group},
        {"scope", kind.scope == Scope::Namespaced ? "Namespaced" : "Cluster"},
        {"names", namesOf(kind)},
        {"versions", json::array{versionOf(definition)}}}},
  };
}

}  // namespace godwit::schema
