#pragma once

#include <span>

#include "apiserver/resource.hpp"
#include "base/clock.hpp"
#include "object/document.hpp"

// Objects as kubectl prints them: meta.k8s.io/v1 Table and PartialObjectMetadata.
namespace godwit::apiserver {

// What of the object a row carries beside its cells.
enum class RowObject { None, Metadata, Whole };
RowObject parseRowObject(std::string_view includeObject);

json::array tableColumns(const schema::Kind& kind);
json::object tableRow(const schema::Kind& kind, const object::Document& document, RowObject carried, Timestamp now);

json::object metadataOnly(const object::Document& document);

}  // namespace godwit::apiserver
