#include "subresources/harvester_actions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "apiserver/media.hpp"
#include "apiserver/status.hpp"
#include "http/uri.hpp"
#include "kinds/migration.hpp"
#include "kinds/words.hpp"
#include "schema/read.hpp"
#include "schema/write.hpp"

namespace godwit::subresources {
namespace {

using object::Document;

constexpr std::string_view kMigrations = "virtualmachineinstancemigrations";

http::Response refusal(std::string_view message) { return apiserver::refuse(400, "BadRequest", message); }
http::Response done() { return apiserver::respondText(204, ""); }
bool isGood(const http::Response& response) { return response.status < 300; }

// One action on one VM, and the API as its caller may use it.
struct Action {
  http::Handler& api;
  const http::Request& caller;
  std::string nameSpace;
  std::string name;

  http::Response send(std::string_view method, const std::string& target, const std::string& body = "") const {
    http::Request request{.method = std::string(method), .target = target, .body = body, .peer = caller.peer};
    const auto credentials = caller.headers.find("authorization");
    if (credentials != caller.headers.end()) request.headers.insert(*credentials);
    request.headers["content-type"] = "application/json";
    return api.handle(request);
  }
  std::string path(std::string_view group, std::string_view plural) const {
    return fmt::format("/apis/{}/v1/namespaces/{}/{}", group, http::encode(nameSpace), plural);
  }
  http::Response instance() const {
    return send("GET", path("kubevirt.io", "virtualmachineinstances") + "/" + http::encode(name));
  }
  http::Response migratableNodes() const {
    return send("GET",
                path("subresources.kubevirt.io", "virtualmachines") + "/" + http::encode(name) + "/migratablenodes");
  }
};

template <class T>
T viewOf(const http::Response& response) {
  return schema::view<T>(json::value(object::parseDocument(response.body).value_or(Document())));
}

http::Response findMigratableNodes(const Action& action) { return action.migratableNodes(); }

bool lists(const http::Response& found, const std::string& node) {
  const Document answer = object::parseDocument(found.body).value_or(Document());
  const json::value* nodes = object::find(answer, {"nodes"});
  if (!nodes || !nodes->is_array()) return false;
  const json::array& all = nodes->get_array();
  return std::any_of(all.begin(), all.end(), [&](const json::value& one) { return one == json::value(node); });
}

http::Response migrate(const Action& action) {
  const bool bare = action.caller.body.find_first_not_of(" \t\r\n") == std::string::npos;
  const auto body = bare ? Document() : apiserver::documentIn(action.caller, "MigrateInput");
  if (!body) return refusal(body.error().message);
  const std::string node = object::textAt(*body, {"nodeName"});
  kinds::VirtualMachineInstanceMigration migration;
  migration.metadata.generateName = action.name + "-";
  migration.spec.vmiName = action.name;
  if (!node.empty()) {
    const http::Response found = action.migratableNodes();
    if (!isGood(found)) return apiserver::respond(found.status, json::parse(found.body));
    if (!lists(found, node)) return refusal(fmt::format("The target node {} is non-migratable", node));
    migration.spec.addedNodeSelectorTerm =
        kinds::NodeSelectorTerm{{}, {{"metadata.name", object::Requirement::Operator::In, {node}}}};
  }
  http::Response made =
      action.send("POST", action.path("kubevirt.io", kMigrations), json::serialize(schema::write(migration)));
  return isGood(made) ? done() : std::move(made);
}

http::Response abortMigration(const Action& action) {
  http::Response found = action.instance();
  if (!isGood(found)) return found;
  const auto instance = viewOf<kinds::VirtualMachineInstance>(found);
  if (!instance.moving()) return refusal("The VM is not in migrating state");
  const std::string all = action.path("kubevirt.io", kMigrations);
  http::Response listed = action.send(
      "GET",
      fmt::format("{}?labelSelector={}", all, http::encode(fmt::format("{}={}", kinds::words::kVmiName, action.name))));
  if (!isGood(listed)) return listed;
  const Document list = object::parseDocument(listed.body).value_or(Document());
  const json::value* items = object::find(list, {"items"});
  for (const json::value& item : items && items->is_array() ? items->get_array() : json::array()) {
    const auto migration = schema::view<kinds::VirtualMachineInstanceMigration>(item);
    if (migration.metadata.uid != instance.status.migrationState->migrationUid) continue;
    http::Response gone = action.send("DELETE", all + "/" + http::encode(migration.metadata.name));
    return isGood(gone) ? done() : std::move(gone);
  }
  return refusal("The VM is not in migrating state");
}

struct NamedAction {
  std::string_view name;
  http::Response (*perform)(const Action&);
};

constexpr NamedAction kActions[] = {
    {"findMigratableNodes", findMigratableNodes}, {"migrate", migrate}, {"abortMigration", abortMigration}};

}  // namespace

http::Response HarvesterActions::handle(const http::Request& request) {
  const auto target = http::parseTarget(request.target);
  const auto named = target ? target->query.find("action") : std::nullopt;
  const bool action = named && request.method == "POST" && target->segments.size() == 5 &&
                      target->segments[0] == "v1" && target->segments[1] == "harvester" &&
                      target->segments[2] == "kubevirt.io.virtualmachines";
  if (!action) return api_.handle(request);
  for (const auto& [name, perform] : kActions)
    if (name == *named) return perform({api_, request, target->segments[3], target->segments[4]});
  return apiserver::refuse(404, "NotFound",
                           fmt::format("there is no action \"{}\"; findMigratableNodes, migrate and abortMigration are "
                                       "understood",
                                       *named));
}

}  // namespace godwit::subresources
