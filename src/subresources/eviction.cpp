#include "subresources/eviction.hpp"

#include <fmt/format.h>

#include "apiserver/media.hpp"
#include "apiserver/status.hpp"
#include "kinds/eviction.hpp"
#include "kinds/node.hpp"
#include "schema/read.hpp"

namespace godwit::subresources {
namespace {

namespace words = kinds::words;

using apiserver::EndpointCall;
using apiserver::Objects;
using apiserver::Resource;
using object::Document;
using Fate = Eviction::Fate;

Eviction judgeGuest(const kinds::Pod& pod, const kinds::VirtualMachineInstance& instance) {
  const std::string name = object::show(instance.metadata.key());
  if (kinds::isFinal(instance.status.phase)) return {Fate::Goes, ""};
  if (!instance.status.godwit.activePod.empty() && instance.status.godwit.activePod != pod.metadata.name)
    return {Fate::Remains, fmt::format("VMI \"{}\" is on its way into this pod", name)};
  const kinds::Departure departure = kinds::departureOf(instance);
  switch (departure.way) {
    case kinds::Departure::Way::Moves:
      return {Fate::Moves, fmt::format("Eviction triggered evacuation of VMI \"{}\"", name)};
    case kinds::Departure::Way::Ends:
      return {Fate::Goes, ""};
    case kinds::Departure::Way::Stays:
      break;
  }
  return {Fate::Remains,
          fmt::format("VMI \"{}\" is configured with an eviction strategy but is not live-migratable: {}", name,
                      departure.obstacle)};
}

// The objects that an eviction is about.
struct Stage {
  Objects& objects;
  const Resource& pods;
  const Resource& instances;
  const Resource& nodes;
};

// Puts it on record that the guest is to leave the pod's node, if that is still what is to be done.
Result<> markEvacuated(const Stage& stage, const kinds::Pod& pod, const object::Key& guest, bool dryRun) {
  const auto node = TRY(stage.objects.find<kinds::Node>(stage.nodes, {"", pod.spec.nodeName}));
  const bool cordoned = node && node->spec.unschedulable;
  const auto change = [&](const Document& current) -> Result<Document> {
    Document after = current;
    const auto instance = schema::view<kinds::VirtualMachineInstance>(current);
    if (judge(pod, instance).fate != Fate::Moves) return after;
    json::object& status = after["status"].as_object();
    if (instance.status.evacuationNodeName == pod.spec.nodeName) return after;
    status["evacuationNodeName"] = pod.spec.nodeName;
    json::value& extra = status["godwit"];
    (extra.is_object() ? extra.get_object() : extra.emplace_object())["evacuationFollowsCordon"] = cordoned;
    return after;
  };
  TRY(stage.objects.modify(stage.instances, guest, change, {.dryRun = dryRun, .part = apiserver::Part::Whole}));
  return {};
}

Result<http::Response> evict(const Stage& stage, const EndpointCall& call) {
  Document body;
  if (!call.request.body.empty()) body = TRY(apiserver::documentIn(call.request, "Eviction"));
  const std::string named = object::textAt(body, {"metadata", "name"});
  if (!named.empty() && named != call.key.name)
    return fail(apiserver::badRequest("name in URL does not match name in Eviction object"));
  const json::value* const dryRuns = object::find(body, {"deleteOptions", "dryRun"});
  const bool dryRun = dryRuns && dryRuns->is_array() && !dryRuns->get_array().empty();

  const auto pod = schema::view<kinds::Pod>(TRY(stage.objects.get(stage.pods, call.key)));
  const object::Key guest{call.key.nameSpace, object::valueOf(pod.metadata.labels, words::kVmiName)};
  auto instance = TRY(stage.objects.find<kinds::VirtualMachineInstance>(stage.instances, guest));
  if (instance && instance->metadata.uid != object::valueOf(pod.metadata.labels, words::kCreatedBy)) instance.reset();
  const Eviction eviction = judge(pod, instance);
  if (eviction.fate == Fate::Moves) TRY(markEvacuated(stage, pod, guest, dryRun));
  if (eviction.fate != Fate::Goes) return apiserver::refuse(429, "TooManyRequests", eviction.why);
  TRY(stage.objects.remove(
      stage.pods, call.key,
      {.uid = pod.metadata.uid, .resourceVersion = {}, .gracePeriodSeconds = {}, .dryRun = dryRun}));
  return apiserver::respondDone();
}

}  // namespace

Eviction judge(const kinds::Pod& pod, const std::optional<kinds::VirtualMachineInstance>& instance) {
  if (pod.ended() || pod.metadata.beingDeleted()) return {Fate::Goes, ""};
  const std::string app = object::valueOf(pod.metadata.labels, words::kApp);
  if (app == words::kAppMigration) return {Fate::Remains, "the pod moves a VM, and goes when that has ended"};
  if (app == words::kAppImporter) return {Fate::Remains, "the pod fills a volume, and goes when that has ended"};
  if (app == words::kAppLauncher && instance) return judgeGuest(pod, *instance);
  return {Fate::Goes, ""};
}

apiserver::Endpoint evictionEndpoint(Objects& objects, const apiserver::Catalog& catalog) {
  const Stage stage{objects, catalog.at(schema::kind<kinds::Pod>),
                    catalog.at(schema::kind<kinds::VirtualMachineInstance>), catalog.at(schema::kind<kinds::Node>)};
  return {.group = "",
          .version = "v1",
          .resource = "pods",
          .subresource = "eviction",
          .kind = "Eviction",
          .kindGroup = "policy",
          .kindVersion = "v1",
          .verbs = {"create"},
          .answer = [stage](const EndpointCall& call) { return evict(stage, call); }};
}

}  // namespace godwit::subresources
