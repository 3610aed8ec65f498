#include "uploads/token_requests.hpp"

#include "apiserver/media.hpp"
#include "apiserver/status.hpp"

namespace godwit::uploads {
namespace {

using namespace std::chrono_literals;

// As CDI's are. An upload that has begun goes on.
constexpr Duration kLifetime = 5min;
constexpr const char* kKind = "UploadTokenRequest";

}  // namespace

apiserver::Endpoint tokenRequestEndpoint(const Targets& targets, const Tokens& tokens, const Clock& clock) {
  auto answer = [&](const apiserver::EndpointCall& call) -> Result<http::Response> {
    if (!apiserver::isDocumentType(apiserver::mediaTypeOf(call.request)))
      return apiserver::unsupportedMediaType(apiserver::kDocumentTypes);
    object::Document request = TRY(apiserver::documentIn(call.request, kKind));
    const std::string name = object::textAt(request, {"spec", "pvcName"});
    if (name.empty()) return fail(apiserver::invalid({{"spec.pvcName", "Required value: the claim to fill"}}));
    const Target target = TRY(targets.target({call.key.nameSpace, name}));
    const Grant grant{
        .claim = target.claim.metadata.key(), .claimUid = target.claim.metadata.uid, .until = clock.now() + kLifetime};
    request["status"] = {{"token", tokens.issue(grant)}};
    return apiserver::respond(201, request);
  };
  return {.group = "upload.cdi.kubevirt.io",
          .version = "v1beta1",
          .resource = "uploadtokenrequests",
          .subresource = "",
          .kind = kKind,
          .verbs = {"create"},
          .answer = std::move(answer)};
}

}  // namespace godwit::uploads
