#include "apiserver/patch_body.hpp"

#include <fmt/format.h>

#include "apiserver/media.hpp"
#include "apiserver/status.hpp"
#include "apiserver/strategic_patch.hpp"
#include "object/patch.hpp"

namespace godwit::apiserver {
namespace {

using object::Document;

constexpr std::string_view kJsonPatch = "application/json-patch+json";
constexpr std::string_view kMergePatch = "application/merge-patch+json";
constexpr std::string_view kStrategicPatch = "application/strategic-merge-patch+json";
// As deep as a document may be.
constexpr std::size_t kDeepestPatch = 128;

Result<json::value> parseBody(const http::Request& request) {
  json::parse_options options;
  options.max_depth = kDeepestPatch;
  boost::system::error_code problem;
  json::value body = json::parse(request.body, problem, {}, options);
  if (problem) return fail(badRequest("error decoding patch: " + problem.message()));
  return body;
}

Result<Document> parsePatchObject(const http::Request& request) {
  json::value body = TRY(parseBody(request));
  if (!body.is_object()) return fail(badRequest("error decoding patch: it must be an object"));
  return std::move(body.get_object());
}

Change mergeChange(Document patch) {
  return [patch = std::move(patch)](const Document& current) -> Result<Document> {
    json::value changed = current;
    object::applyMergePatch(changed, patch);
    return std::move(changed.as_object());
  };
}

Change strategicChange(Document patch) {
  return [patch = std::move(patch)](const Document& current) -> Result<Document> {
    Document changed = current;
    applyStrategicPatch(changed, patch);
    return changed;
  };
}

Change jsonPatchChange(json::value patch) {
  return [patch = std::move(patch)](const Document& current) -> Result<Document> {
    json::value changed = current;
    if (auto applied = object::applyJsonPatch(changed, patch); !applied) {
      if (applied.error().code != Code::Conflict) return fail(badRequest(applied.error().message));
      return fail(
          invalid({{"", applied.error().message}}, "the server rejected our request due to an error in our request"));
    }
    if (!changed.is_object()) return fail(badRequest("the patch does not leave an object"));
    return std::move(changed.get_object());
  };
}

}  // namespace

std::string patchTypesOf(const Resource& resource) {
  return resource.builtIn ? fmt::format("{}, {}, {}, {}", kJsonPatch, kMergePatch, kStrategicPatch, kApplyPatch)
                          : fmt::format("{}, {}, {}", kJsonPatch, kMergePatch, kApplyPatch);
}

bool takesPatchType(const Resource& resource, std::string_view mediaType) {
  return mediaType == kJsonPatch || mediaType == kMergePatch || mediaType == kApplyPatch ||
         (resource.builtIn && mediaType == kStrategicPatch);
}

Result<Change> changeIn(const http::Request& request, const Resource& resource) {
  const std::string type = mediaTypeOf(request);
  if (type == kJsonPatch) return jsonPatchChange(TRY(parseBody(request)));
  if (type == kMergePatch) return mergeChange(TRY(parsePatchObject(request)));
  if (type == kStrategicPatch) return strategicChange(TRY(parsePatchObject(request)));
  // An applied document owns its fields alone, whoever wrote them before.
  Document applied = TRY(documentIn(request, resource.kind().name));
  return resource.builtIn ? strategicChange(std::move(applied)) : mergeChange(std::move(applied));
}

}  // namespace godwit::apiserver
