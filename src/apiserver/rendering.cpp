#include "apiserver/rendering.hpp"

#include <fmt/format.h>

#include "apiserver/location.hpp"
#include "apiserver/stored.hpp"

namespace godwit::apiserver {
namespace {

json::object listMetadata(const Page& page) {
  json::object metadata = {{"resourceVersion", fmt::to_string(page.revision)}};
  if (!page.continueToken.empty()) metadata["continue"] = page.continueToken;
  return metadata;
}

std::string resourceVersionIn(const object::Document& document) {
  return object::textAt(document, {"metadata", "resourceVersion"});
}

}  // namespace

Rendering::Rendering(const Resource& resource, const Representation& accepted, const http::Query& query,
                     const Clock& clock)
    : resource_(&resource),
      shape_(accepted.shape),
      rowObject_(parseRowObject(textOf(query, "includeObject"))),
      clock_(&clock) {}

Result<std::string> Rendering::object(std::string_view stored, store::Revision revision) const {
  return eventObject(stored, revision, true);
}

Result<std::string> Rendering::eventObject(std::string_view stored, store::Revision revision, bool first) const {
  if (isPlain()) {
    std::string text;
    appendOpened(text, stored, revision);
    return text;
  }
  const object::Document document = TRY(opened(stored, revision));
  if (shape_ == Shape::Metadata) return json::serialize(metadataOnly(document));
  json::array rows = {tableRow(resource_->kind(), document, rowObject_, clock_->now())};
  return json::serialize(table(std::move(rows), {{"resourceVersion", resourceVersionIn(document)}}, first));
}

Result<std::string> Rendering::page(const Page& page) const {
  if (isPlain()) return plainPage(page);
  const Timestamp now = clock_->now();
  json::array items;
  for (const store::Entry& entry : page.entries) {
    const object::Document document = TRY(opened(*entry.value, entry.revision));
    items.push_back(shape_ == Shape::Table ? tableRow(resource_->kind(), document, rowObject_, now)
                                           : metadataOnly(document));
  }
  if (shape_ == Shape::Table) return json::serialize(table(std::move(items), listMetadata(page), true));
  return json::serialize(json::object{{"kind", "PartialObjectMetadataList"},
                                      {"apiVersion", "meta.k8s.io/v1"},
                                      {"metadata", listMetadata(page)},
                                      {"items", std::move(items)}});
}

std::string Rendering::plainPage(const Page& page) const {
  std::string text = fmt::format("{{\"apiVersion\":\"{}\",\"kind\":\"{}List\",\"metadata\":{},\"items\":[",
                                 resource_->apiVersion, resource_->kind().name, json::serialize(listMetadata(page)));
  for (const store::Entry& entry : page.entries) {
    if (text.back() != '[') text += ',';
    if (resource_->builtIn)
      appendOpenedItem(text, *entry.value, entry.revision);
    else
      appendOpened(text, *entry.value, entry.revision);
  }
  text += "]}";
  return text;
}

json::object Rendering::table(json::array rows, json::object metadata, bool withColumns) const {
  json::object table = {{"kind", "Table"}, {"apiVersion", "meta.k8s.io/v1"}, {"metadata", std::move(metadata)}};
  table["columnDefinitions"] = withColumns ? tableColumns(resource_->kind()) : json::array();
  table["rows"] = std::move(rows);
  return table;
}

}  // namespace godwit::apiserver
