#include "apiserver/table.hpp"

#include <array>

#include <fmt/format.h>

#include "apiserver/cell_path.hpp"
#include "apiserver/metadata.hpp"
#include "base/time_format.hpp"

namespace godwit::apiserver {
namespace {

using object::Document;
using schema::Column;

// What is shown of a kind that declares no columns.
constexpr std::array<Column, 1> kAgeOnly = {Column{"Age", ".metadata.creationTimestamp", "date"}};

std::span<const Column> columnsOf(const schema::Kind& kind) {
  return kind.columns.empty() ? std::span<const Column>(kAgeOnly) : kind.columns;
}

json::value ageOf(const json::value& time, Timestamp now) {
  const auto since = time.is_string() ? parseRfc3339(std::string_view(time.get_string())) : fail(Code::Invalid, "");
  return since ? json::value(humanDuration(now - *since)) : json::value("<unknown>");
}

json::value cellOf(const Column& column, const Document& document, Timestamp now) {
  if (column.tellsDeletion && isBeingDeleted(document)) return "Terminating";
  const json::value* value = cellAt(document, column.path);
  if (value == nullptr || value->is_null()) return nullptr;
  if (column.type == "date") return ageOf(*value, now);
  if (column.type == "string" && !value->is_string()) return json::value(json::serialize(*value));
  return *value;
}

}  // namespace

RowObject parseRowObject(std::string_view includeObject) {
  if (includeObject == "None") return RowObject::None;
  return includeObject == "Object" ? RowObject::Whole : RowObject::Metadata;
}

json::array tableColumns(const schema::Kind& kind) {
  json::array columns = {{{"name", "Name"},
                          {"type", "string"},
                          {"format", "name"},
                          {"description", "Name, unique within its kind and namespace."},
                          {"priority", 0}}};
  for (const Column& column : columnsOf(kind))
    columns.push_back({{"name", column.name},
                       {"type", column.type},
                       {"format", ""},
                       {"description", fmt::format("What stands at {} of the object.", column.path)},
                       {"priority", column.priority}});
  return columns;
}

json::object tableRow(const schema::Kind& kind, const Document& document, RowObject carried, Timestamp now) {
  json::array cells = {json::value(object::textAt(document, {"metadata", "name"}))};
  for (const Column& column : columnsOf(kind)) cells.push_back(cellOf(column, document, now));
  json::object row = {{"cells", std::move(cells)}};
  switch (carried) {
    case RowObject::None:
      break;
    case RowObject::Metadata:
      row["object"] = metadataOnly(document);
      break;
    case RowObject::Whole:
      row["object"] = document;
      break;
  }
  return row;
}

json::object metadataOnly(const Document& document) {
  json::object partial = {{"kind", "PartialObjectMetadata"}, {"apiVersion", "meta.k8s.io/v1"}};
  if (const json::value* metadata = document.if_contains("metadata")) partial["metadata"] = *metadata;
  return partial;
}

}  // namespace godwit::apiserver
