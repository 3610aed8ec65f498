#include "apiserver/selection.hpp"

#include <algorithm>

#include "apiserver/location.hpp"
#include "apiserver/status.hpp"

namespace godwit::apiserver {
namespace {

bool offers(const schema::Kind& kind, std::string_view path) {
  return path == "metadata.name" || path == "metadata.namespace" ||
         std::find(kind.fieldSelectors.begin(), kind.fieldSelectors.end(), path) != kind.fieldSelectors.end();
}

}  // namespace

Result<Selection> Selection::parse(const http::Query& query, const Resource& resource) {
  Selection selection;
  if (const std::string text = textOf(query, "labelSelector"); !text.empty())
    selection.labels_ = TRY(object::LabelSelector::parse(text));
  if (const std::string text = textOf(query, "fieldSelector"); !text.empty())
    selection.fields_ = TRY(object::FieldSelector::parse(text));
  for (const std::string& path : selection.fields_.paths())
    if (!offers(resource.kind(), path)) return fail(badRequest("field label not supported: " + path));
  return selection;
}

bool Selection::matches(const object::Document& document) const {
  return fields_.matches(document) && (labels_.empty() || labels_.matches(object::labelsOf(document)));
}

}  // namespace godwit::apiserver
