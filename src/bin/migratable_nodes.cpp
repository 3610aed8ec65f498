#include "bin/migratable_nodes.hpp"

#include <fmt/format.h>

#include "apiserver/status.hpp"
#include "controllers/migration/pods.hpp"
#include "scheduler/view.hpp"

namespace godwit::bin {
namespace {

using scheduler::Refusal;

json::object reason(std::string_view word, std::string_view sentence) {
  return {{"reason", word}, {"message", sentence}};
}

json::object describe(const std::map<std::string, std::vector<Refusal>>& examined, const std::string& source) {
  json::array nodes, others;
  for (const auto& [node, refusals] : examined) {
    json::array reasons;
    if (node == source) reasons.push_back(reason("AlreadyThere", "the guest is on this node"));
    for (const Refusal& refusal : refusals) reasons.push_back(reason(refusal.word, refusal.sentence));
    if (reasons.empty())
      nodes.emplace_back(node);
    else
      others.push_back({{"node", node}, {"reasons", std::move(reasons)}});
  }
  return {{"nodes", std::move(nodes)}, {"refusals", std::move(others)}};
}

Result<kinds::VirtualMachineInstance> runningInstance(const client::Client& api, const object::Key& key) {
  auto instance = TRY(api.get<kinds::VirtualMachineInstance>(key));
  if (instance.status.phase == kinds::InstancePhase::Running) return instance;
  return fail(Code::Conflict,
              fmt::format("Operation cannot be fulfilled on virtualmachine.kubevirt.io \"{}\": VM is not "
                          "running",
                          key.name));
}

}  // namespace

apiserver::Endpoint migratableNodesEndpoint(const client::Client& api, const Clock& clock, Random& random) {
  const auto answer = [&](const apiserver::EndpointCall& call) -> Result<http::Response> {
    const auto instance = TRY(runningInstance(api, call.key));
    scheduler::View view(api, clock, random);
    for (client::Reflector* cache : view.caches()) TRY(cache->pump());
    kinds::VirtualMachineInstanceMigration migration;
    migration.spec.vmiName = call.key.name;
    const kinds::Pod target = controllers::migration::renderTarget(migration, instance, kinds::Mechanism::AcrossNodes);
    const auto examined = view.roster.examine(target, view.claimsOf(target));
    return apiserver::respond(200, describe(examined, instance.status.nodeName));
  };
  return {.group = "subresources.kubevirt.io",
          .version = "v1",
          .resource = "virtualmachines",
          .subresource = "migratablenodes",
          .kind = "VirtualMachine",
          .verbs = {"get"},
          .answer = answer};
}

}  // namespace godwit::bin
