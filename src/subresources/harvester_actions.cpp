#include "subresources/harvester_actions.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "apiserver/media.hpp"
#include "kinds/migration.hpp"
#include "kinds/words.hpp"
#include "schema/write.hpp"
#include "subresources/offered_actions.hpp"
#include "subresources/storage_actions.hpp"

namespace godwit::subresources {
namespace {

using object::Document;

constexpr std::string_view kMigrations = "virtualmachineinstancemigrations";

http::Response migratableNodes(const Action& action) {
  return action.send("GET", action.path("subresources.kubevirt.io", "virtualmachines") + "/" +
                                http::encode(action.name) + "/migratablenodes");
}

http::Response findMigratableNodes(const Action& action) { return migratableNodes(action); }

bool lists(const http::Response& found, const std::string& node) {
  const Document answer = object::parseDocument(found.body).value_or(Document());
  const json::value* nodes = object::find(answer, {"nodes"});
  if (!nodes || !nodes->is_array()) return false;
  const json::array& all = nodes->get_array();
  return std::any_of(all.begin(), all.end(), [&](const json::value& one) { return one == json::value(node); });
}

// Nothing when it can be asked to move; whether it can go anywhere is found out later.
std::optional<http::Response> whyNotNow(const Action& action) {
  http::Response found = action.instance();
  if (!isGood(found)) return found;
  const auto instance = viewOf<kinds::VirtualMachineInstance>(found);
  if (instance.status.phase != kinds::InstancePhase::Running) return refusal("The VM is not in running state");
  if (!kinds::isTrue(instance.status.conditions, "Ready"))
    return refusal("Can't migrate the VM, the VM is not in ready status");
  return std::nullopt;
}

http::Response migrate(const Action& action) {
  const bool bare = action.caller.body.find_first_not_of(" \t\r\n") == std::string::npos;
  const auto body = bare ? Document() : apiserver::documentIn(action.caller, "MigrateInput");
  if (!body) return refusal(body.error().message);
  if (auto refused = whyNotNow(action)) return std::move(*refused);
  const std::string node = object::textAt(*body, {"nodeName"});
  kinds::VirtualMachineInstanceMigration migration;
  migration.metadata.generateName = action.name + "-";
  migration.spec.vmiName = action.name;
  if (!node.empty()) {
    const http::Response found = migratableNodes(action);
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
    if (kinds::isFinal(migration.status.phase))
      return refusal(
          fmt::format("cannot abort the migration as it is in \"{}\" phase", schema::nameOf(migration.status.phase)));
    http::Response gone = action.send("DELETE", all + "/" + http::encode(migration.metadata.name));
    return isGood(gone) ? done() : std::move(gone);
  }
  return refusal("The VM is not in migrating state");
}

struct NamedAction {
  std::string_view name;
  http::Response (*perform)(const Action&);
};

constexpr NamedAction kActions[] = {{"findMigratableNodes", findMigratableNodes},
                                    {"migrate", migrate},
                                    {"abortMigration", abortMigration},
                                    {"storageMigration", storageMigration},
                                    {"cancelStorageMigration", cancelStorageMigration}};

}  // namespace

http::Response HarvesterActions::handle(const http::Request& request) {
  const auto target = http::parseTarget(request.target);
  const auto named = target ? target->query.find("action") : std::nullopt;
  const bool machine = target && target->segments.size() == 5 && target->segments[0] == "v1" &&
                       target->segments[1] == "harvester" && target->segments[2] == "kubevirt.io.virtualmachines";
  if (machine && request.method == "GET")
    return withOfferedActions({api_, request, target->segments[3], target->segments[4]});
  if (!machine || !named || request.method != "POST") return api_.handle(request);
  for (const auto& [name, perform] : kActions)
    if (name == *named) return perform({api_, request, target->segments[3], target->segments[4]});
  std::vector<std::string_view> known;
  for (const NamedAction& one : kActions) known.push_back(one.name);
  return apiserver::refuse(404, "NotFound",
                           fmt::format("there is no action \"{}\"; there are {}", *named, fmt::join(known, ", ")));
}

}  // namespace godwit::subresources
