#include "apiserver/writer.hpp"

#include <fmt/format.h>

#include "apiserver/location.hpp"
#include "apiserver/metadata.hpp"
#include "apiserver/patch_body.hpp"
#include "apiserver/rendering.hpp"
#include "apiserver/status.hpp"
#include "apiserver/stored.hpp"

namespace godwit::apiserver {
namespace {

using object::Document;

Result<bool> parseDryRun(std::string_view word) {
  if (word.empty()) return false;
  if (word == "All") return true;
  return fail(invalid({{"dryRun", fmt::format("Unsupported value: \"{}\": supported values: \"All\"", word)}}));
}

Result<WriteOptions> writeOptionsOf(const Call& call) {
  WriteOptions options;
  options.dryRun = TRY(parseDryRun(textOf(call.query, "dryRun")));
  options.fieldValidation = TRY(parseFieldValidation(textOf(call.query, "fieldValidation")));
  options.part = call.access.subresource == "status" ? Part::Status : Part::Main;
  return options;
}

Result<DeleteOptions> deleteOptionsOf(const Call& call) {
  DeleteOptions options;
  options.dryRun = TRY(parseDryRun(textOf(call.query, "dryRun")));
  options.gracePeriodSeconds = TRY(numberOf(call.query, "gracePeriodSeconds"));
  if (call.request.body.empty()) return options;

  const Document body = TRY(documentIn(call.request, "DeleteOptions"));
  const auto text = [&](std::initializer_list<std::string_view> path) -> std::optional<std::string> {
    const json::value* found = object::find(body, path);
    if (found == nullptr || !found->is_string()) return std::nullopt;
    return std::string(std::string_view(found->get_string()));
  };
  options.uid = text({"preconditions", "uid"});
  options.resourceVersion = text({"preconditions", "resourceVersion"});
  const json::value* grace = body.if_contains("gracePeriodSeconds");
  if (grace != nullptr && grace->is_int64()) options.gracePeriodSeconds = grace->get_int64();
  const json::value* dryRun = body.if_contains("dryRun");
  if (dryRun != nullptr && dryRun->is_array() && !dryRun->get_array().empty()) options.dryRun = true;
  return options;
}

// One header for all of them; its value is a list by RFC 7234.
std::string warningHeader(const std::vector<std::string>& warnings) {
  std::string header;
  for (const std::string& warning : warnings)
    header += fmt::format("{}299 - {}", header.empty() ? "" : ", ", json::serialize(json::string(warning)));
  return header;
}

bool hasDocumentBody(const Call& call) { return isDocumentType(mediaTypeOf(call.request)); }

}  // namespace

Result<http::Response> Writer::create(const Call& call) const {
  if (!hasDocumentBody(call)) return unsupportedMediaType(kDocumentTypes);
  return createFrom(call, TRY(documentIn(call.request, call.resource.kind().name)));
}

Result<http::Response> Writer::createFrom(const Call& call, Document document) const {
  const WriteOptions options = TRY(writeOptionsOf(call));
  if (auto refusal = namespaces_.refusalToCreate(call.resource, call.access.nameSpace)) return std::move(*refusal);
  const Subject subject = subjectOf(call.resource.kind(), object::textAt(document, {"metadata", "name"}));
  const auto created = objects_.create(call.resource, call.access.nameSpace, std::move(document), options);
  if (!created) return refuse(created.error(), subject);
  return render(call, *created);
}

Result<http::Response> Writer::update(const Call& call) const {
  if (!hasDocumentBody(call)) return unsupportedMediaType(kDocumentTypes);
  const WriteOptions options = TRY(writeOptionsOf(call));
  const Document proposed = TRY(documentIn(call.request, call.resource.kind().name));
  const bool unconditional = object::textAt(proposed, {"metadata", "resourceVersion"}).empty();
  const Change replace = [&](const Document&) -> Result<Document> {
    if (unconditional && !call.resource.builtIn)
      return fail(invalid({{"metadata.resourceVersion", "Invalid value: 0: must be specified for an update"}}));
    return proposed;
  };
  return render(call, TRY(objects_.modify(call.resource, call.key(), replace, options)));
}

Result<http::Response> Writer::patch(const Call& call) const {
  const std::string type = mediaTypeOf(call.request);
  if (!takesPatchType(call.resource, type)) return unsupportedMediaType(patchTypesOf(call.resource));
  const bool apply = type == kApplyPatch;
  if (apply && textOf(call.query, "fieldManager").empty())
    return fail(invalid({{"fieldManager", "Required value: is required for apply patch"}}));
  const WriteOptions options = TRY(writeOptionsOf(call));
  const Change change = TRY(changeIn(call.request, call.resource));
  auto written = objects_.modify(call.resource, call.key(), change, options);
  const bool absent = !written && written.error().code == Code::NotFound;
  if (!absent || !apply || !call.access.subresource.empty()) return render(call, TRY(std::move(written)));

  Document applied = TRY(documentIn(call.request, call.resource.kind().name));
  TRY(ensureTyped(call.resource, applied));
  metadataOf(applied)["name"] = call.access.name;
  return createFrom(call, std::move(applied));
}

Result<http::Response> Writer::remove(const Call& call) const {
  const DeleteOptions options = TRY(deleteOptionsOf(call));
  const Written written = TRY(objects_.remove(call.resource, call.key(), options));
  if (!written.gone) return render(call, written);
  const Document document = TRY(opened(*written.stored, written.revision));
  return respond(200, deletedStatus(subjectOf(call.resource.kind(), call.access.name),
                                    object::textAt(document, {"metadata", "uid"})));
}

Result<http::Response> Writer::removeCollection(const Call& call) const {
  const DeleteOptions options = TRY(deleteOptionsOf(call));
  const Page page = TRY(readPage(store_, call.resource, call.access.nameSpace, call.query));
  for (const store::Entry& entry : page.entries) {
    const object::Key key = object::keyOf(TRY(opened(*entry.value, entry.revision)));
    const auto removed = objects_.remove(call.resource, key, options);
    if (!removed && removed.error().code != Code::NotFound) return fail(removed.error());
  }
  http::Response response = respond(200, nullptr);
  response.body = TRY(Rendering(call.resource, call.accepted, call.query, clock_).page(page));
  return response;
}

Result<http::Response> Writer::render(const Call& call, const Written& written) const {
  const Rendering rendering(call.resource, call.accepted, call.query, clock_);
  http::Response response = respond(written.created ? 201 : 200, nullptr);
  response.body = TRY(rendering.object(*written.stored, written.revision));
  if (!written.warnings.empty()) response.headers["warning"] = warningHeader(written.warnings);
  return response;
}

}  // namespace godwit::apiserver
