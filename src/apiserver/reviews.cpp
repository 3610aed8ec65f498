#include "apiserver/reviews.hpp"

#include "apiserver/authorization.hpp"
#include "apiserver/media.hpp"
#include "apiserver/status.hpp"

namespace godwit::apiserver {
namespace {

using object::Document;
using object::textAt;

Access accessIn(const Document& review) {
  if (object::find(review, {"spec", "nonResourceAttributes"}) != nullptr)
    return {.verb = textAt(review, {"spec", "nonResourceAttributes", "verb"}),
            .path = textAt(review, {"spec", "nonResourceAttributes", "path"})};
  const auto attribute = [&](std::string_view name) { return textAt(review, {"spec", "resourceAttributes", name}); };
  return {.verb = attribute("verb"),
          .group = attribute("group"),
          .resource = attribute("resource"),
          .subresource = attribute("subresource"),
          .nameSpace = attribute("namespace"),
          .name = attribute("name")};
}

json::object describe(const User& user) {
  return {{"username", user.name}, {"groups", json::array(user.groups.begin(), user.groups.end())}};
}

User subjectIn(const Document& review) {
  User user = {textAt(review, {"spec", "user"}), {}};
  if (const json::value* groups = object::find(review, {"spec", "groups"}); groups != nullptr && groups->is_array())
    for (const json::value& group : groups->get_array())
      if (group.is_string()) user.groups.emplace_back(std::string_view(group.get_string()));
  return user;
}

json::object ownerStatus(const Authentication& authentication, const Document& review) {
  const auto owner = authentication.ownerOf(textAt(review, {"spec", "token"}));
  if (!owner) return {{"authenticated", false}, {"error", "the token is not known"}};
  return {{"authenticated", true}, {"user", describe(*owner)}};
}

using Judge = std::function<json::object(const Document& review, const User& caller)>;

Endpoint review(std::string group, std::string resource, std::string kind, Judge judge) {
  auto answer = [judge = std::move(judge), kind](const EndpointCall& call) -> Result<http::Response> {
    if (!isDocumentType(mediaTypeOf(call.request))) return unsupportedMediaType(kDocumentTypes);
    Document review = TRY(documentIn(call.request, kind));
    if (!review.contains("metadata")) review["metadata"] = json::object();
    review["status"] = judge(review, call.user);
    return respond(201, review);
  };
  return {.group = std::move(group),
          .version = "v1",
          .resource = std::move(resource),
          .subresource = "",
          .kind = kind,
          .namespaced = false,
          .verbs = {"create"},
          .answer = std::move(answer)};
}

}  // namespace

std::vector<Endpoint> reviewEndpoints(const Authentication& authentication) {
  return {
      review("authorization.k8s.io", "selfsubjectaccessreviews", "SelfSubjectAccessReview",
             [](const Document& asked, const User& caller) -> json::object {
               return {{"allowed", allowed(caller, accessIn(asked))}};
             }),
      review("authorization.k8s.io", "subjectaccessreviews", "SubjectAccessReview",
             [](const Document& asked, const User&) -> json::object {
               return {{"allowed", allowed(subjectIn(asked), accessIn(asked))}};
             }),
      review("authentication.k8s.io", "selfsubjectreviews", "SelfSubjectReview",
             [](const Document&, const User& caller) -> json::object {
               return {{"userInfo", describe(caller)}};
             }),
      review("authentication.k8s.io", "tokenreviews", "TokenReview",
             [&authentication](const Document& asked, const User&) { return ownerStatus(authentication, asked); }),
  };
}

}  // namespace godwit::apiserver
