#include "cli/status.hpp"

#include <algorithm>

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

using Move = kinds::VirtualMachineInstanceMigration;

// Those that wait for their turn, the next one first.
std::vector<Move> queueOf(const Cluster& cluster) {
  std::vector<Move> waiting;
  for (const Move& move : cluster.moves)
    if (move.status.godwit.queue) waiting.push_back(move);
  std::stable_sort(waiting.begin(), waiting.end(), [](const Move& left, const Move& right) {
    return left.status.godwit.queue->position < right.status.godwit.queue->position;
  });
  return waiting;
}

std::string queueAsTable(const std::vector<Move>& queue) {
  Table table({"PLACE", "WAITS", "VM", "BEHIND", "LIMIT"});
  for (const Move& move : queue) {
    const kinds::QueuePlace& place = *move.status.godwit.queue;
    table.add({std::to_string(place.position), object::show(move.metadata.key()), move.spec.vmiName,
               fmt::format("{}", fmt::join(place.ahead, ",")), place.limit});
  }
  return queue.empty() ? "" : "\n" + table.text();
}

json::array queueAsJson(const std::vector<Move>& queue) {
  json::array array;
  for (const Move& move : queue) {
    json::object place = schema::write(*move.status.godwit.queue).as_object();
    place["migration"] = object::show(move.metadata.key());
    place["vm"] = move.spec.vmiName;
    array.push_back(std::move(place));
  }
  return array;
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
  return nodes.text() + "\n" + instances.text() + "\n" + moves.text() + queueAsTable(queueOf(cluster));
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
                                      {"moves", asArray(cluster.moves)},
                                      {"queue", queueAsJson(queueOf(cluster))}}) +
         "\n";
}

}  // namespace godwit::cli
