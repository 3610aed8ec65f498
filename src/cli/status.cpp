#include "cli/status.hpp"

#include <fmt/format.h>

#include "cli/table.hpp"
#include "kinds/migration.hpp"
#include "kinds/node.hpp"
#include "kinds/virtual_machine.hpp"
#include "kinds/virtual_machine_instance.hpp"

namespace godwit::cli {
namespace {

template <class T>
Result<std::vector<T>> listAll(const client::Client& client) {
  std::vector<T> all;
  const auto listed = TRY(client.list(schema::kind<T>));
  for (const auto& document : listed.items) all.push_back(schema::view<T>(document));
  return all;
}

struct Cluster {
  std::vector<kinds::Node> nodes;
  std::vector<kinds::VirtualMachineInstance> instances;
  std::vector<kinds::VirtualMachineInstanceMigration> moves;  // that are not over
};

Result<Cluster> look(const client::Client& client) {
  Cluster cluster;
  cluster.nodes = TRY(listAll<kinds::Node>(client));
  cluster.instances = TRY(listAll<kinds::VirtualMachineInstance>(client));
  cluster.moves = TRY(listAll<kinds::VirtualMachineInstanceMigration>(client));
  std::erase_if(cluster.moves, [](const auto& move) { return kinds::isFinal(move.status.phase); });
  return cluster;
}

std::string percent(const std::optional<kinds::MoveProgress>& progress) {
  if (!progress || progress->disksTotal + progress->memoryTotal == 0) return "";
  return fmt::format(
      "{}%", 100 * (progress->disksDone + progress->memoryDone) / (progress->disksTotal + progress->memoryTotal));
}

std::string asTables(const Cluster& cluster) {
  Table nodes({"NODE", "READY", "MEMORY"});
  for (const auto& node : cluster.nodes) {
    const auto memory = node.status.allocatable.find("memory");
    nodes.add({node.metadata.name, kinds::isTrue(node.status.conditions, "Ready") ? "yes" : "no",
               memory == node.status.allocatable.end() ? "" : memory->second});
  }
  Table instances({"VM", "PHASE", "NODE", "REASON"});
  for (const auto& instance : cluster.instances)
    instances.add({object::show(instance.metadata.key()), std::string(schema::nameOf(instance.status.phase)),
                   instance.status.nodeName, instance.status.reason});
  Table moves({"MOVE", "VM", "PHASE", "FROM", "TO", "HOW", "DONE"});
  for (const auto& move : cluster.moves) {
    const auto state = move.status.migrationState.value_or(kinds::MigrationState{});
    moves.add({object::show(move.metadata.key()), move.spec.vmiName, std::string(schema::nameOf(move.status.phase)),
               state.sourceNode, state.targetNode, move.status.godwit.mechanism, percent(move.status.godwit.progress)});
  }
  return nodes.text() + "\n" + instances.text() + "\n" + moves.text();
}

template <class T>
json::array asArray(const std::vector<T>& objects) {
  json::array array;
  for (const T& object : objects) array.push_back(schema::write(object));
  return array;
}

}  // namespace

Result<std::string> describeStatus(const client::Client& client, bool asJson) {
  const Cluster cluster = TRY(look(client));
  if (!asJson) return asTables(cluster);
  return json::serialize(json::object{{"nodes", asArray(cluster.nodes)},
                                      {"instances", asArray(cluster.instances)},
                                      {"moves", asArray(cluster.moves)}}) +
         "\n";
}

}  // namespace godwit::cli
