#include "apiserver/binding.hpp"

#include <fmt/format.h>

#include "apiserver/media.hpp"
#include "apiserver/metadata.hpp"
#include "apiserver/status.hpp"
#include "base/time_format.hpp"

namespace godwit::apiserver {
namespace {

using object::Document;

json::object& objectIn(Document& document, std::string_view name) {
  json::value& member = document[name];
  return member.is_object() ? member.get_object() : member.emplace_object();
}

void setScheduled(Document& pod, Timestamp now) {
  json::value& member = objectIn(pod, "status")["conditions"];
  json::array& conditions = member.is_array() ? member.get_array() : member.emplace_array();
  const json::object scheduled = {
      {"type", "PodScheduled"}, {"status", "True"}, {"lastProbeTime", nullptr}, {"lastTransitionTime", toRfc3339(now)}};
  for (json::value& condition : conditions) {
    if (!condition.is_object() || object::textAt(condition.get_object(), {"type"}) != "PodScheduled") continue;
    condition = scheduled;
    return;
  }
  conditions.push_back(scheduled);
}

Result<Document> bound(Document pod, const Subject& subject, const std::string& node, Timestamp now) {
  const auto refusal = [&](const std::string& why) {
    return fail(Code::Conflict, fmt::format("Operation cannot be fulfilled on {}/binding \"{}\": {}",
                                            qualified(subject.plural, subject.group), subject.name, why));
  };
  if (isBeingDeleted(pod))
    return refusal(fmt::format("pod {} is being deleted, cannot be assigned to a host", subject.name));
  const std::string is = object::textAt(pod, {"spec", "nodeName"});
  if (!is.empty()) return refusal(fmt::format("pod {} is already assigned to node \"{}\"", subject.name, is));
  objectIn(pod, "spec")["nodeName"] = node;
  setScheduled(pod, now);
  return pod;
}

}  // namespace

Endpoint bindingEndpoint(Objects& objects, const Resource& resource, const Clock& clock) {
  auto answer = [&objects, &resource, &clock](const EndpointCall& call) -> Result<http::Response> {
    if (!isDocumentType(mediaTypeOf(call.request))) return unsupportedMediaType(kDocumentTypes);
    const Document binding = TRY(documentIn(call.request, "Binding"));
    const std::string node = object::textAt(binding, {"target", "name"});
    if (node.empty()) return fail(invalid({{"target.name", "Required value"}}));
    const Subject subject = subjectOf(resource.kind(), call.key.name);
    const auto bind = [&](const Document& pod) { return bound(pod, subject, node, clock.now()); };
    TRY(objects.modify(resource, call.key, bind, {.part = Part::Whole}));
    return respondDone();
  };
  return {.group = std::string(resource.kind().group),
          .version = std::string(resource.kind().version),
          .resource = std::string(resource.kind().plural),
          .subresource = "binding",
          .kind = "Binding",
          .namespaced = resource.namespaced(),
          .verbs = {"create"},
          .answer = std::move(answer)};
}

}  // namespace godwit::apiserver
