#include "subresources/offered_actions.hpp"

#include <algorithm>

#include "kinds/claim_templates.hpp"
#include "kinds/virtual_machine_instance.hpp"
#include "kinds/words.hpp"

namespace godwit::subresources {
namespace {

using object::Document;

constexpr std::string_view kReview = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";

bool mayChange(const Action& action) {
  const json::object question = {{"apiVersion", "authorization.k8s.io/v1"},
                                 {"kind", "SelfSubjectAccessReview"},
                                 {"spec",
                                  {{"resourceAttributes",
                                    {{"group", "kubevirt.io"},
                                     {"resource", "virtualmachines"},
                                     {"verb", "update"},
                                     {"namespace", action.nameSpace},
                                     {"name", action.name}}}}}};
  const http::Response answer = action.send("POST", std::string(kReview), json::serialize(question));
  const Document review = documentOf(answer);
  const json::value* allowed = object::find(review, {"status", "allowed"});
  return isGood(answer) && allowed && *allowed == json::value(true);
}

bool hasSeveralNodes(const Action& action) {
  const Document list = documentOf(action.send("GET", "/api/v1/nodes"));
  const json::value* nodes = object::find(list, {"items"});
  return nodes && nodes->is_array() && nodes->get_array().size() > 1;
}

bool isAskedToMove(const Document& machine) {
  const auto templates =
      kinds::readClaimTemplates(object::textAt(machine, {"metadata", "annotations", kinds::words::kClaimTemplates}));
  return templates &&
         std::any_of(templates->begin(), templates->end(), [](const auto& one) { return !one.targetVolume().empty(); });
}

bool canMigrate(const kinds::VirtualMachineInstance& instance) {
  const kinds::Condition* movable = kinds::findCondition(instance.status.conditions, "LiveMigratable");
  return !(movable && movable->status == "False");
}

std::vector<std::string_view> offered(const Action& action, const Document& machine) {
  std::vector<std::string_view> names;
  if (!mayChange(action)) return names;
  if (isAskedToMove(machine)) names.push_back("cancelStorageMigration");
  const http::Response found = action.instance();
  if (!isGood(found)) return names;
  const auto instance = viewOf<kinds::VirtualMachineInstance>(found);
  if (instance.moving()) names.push_back("abortMigration");
  if (instance.moving() || instance.metadata.beingDeleted() || instance.status.phase != kinds::InstancePhase::Running)
    return names;
  names.push_back("storageMigration");
  if (!canMigrate(instance) || !hasSeveralNodes(action)) return names;
  names.insert(names.end(), {"migrate", "findMigratableNodes"});
  return names;
}

}  // namespace

http::Response withOfferedActions(const Action& action) {
  http::Response found = action.send("GET", action.machine());
  if (!isGood(found)) return found;
  Document machine = documentOf(found);
  const auto host = action.caller.headers.find("host");
  const std::string self =
      fmt::format("https://{}/v1/harvester/kubevirt.io.virtualmachines/{}/{}",
                  host == action.caller.headers.end() ? "" : host->second, action.nameSpace, action.name);
  json::object links;
  for (const std::string_view name : offered(action, machine)) links[name] = fmt::format("{}?action={}", self, name);
  machine["id"] = fmt::format("{}/{}", action.nameSpace, action.name);
  machine["type"] = "kubevirt.io.virtualmachine";
  machine["links"] = json::object{{"self", self}};
  machine["actions"] = std::move(links);
  return apiserver::respond(200, machine);
}

}  // namespace godwit::subresources
